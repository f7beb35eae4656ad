// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "app/kb-timeline-chart.h"

#include <glib/gi18n-lib.h>

#include "app/kb-timeline-text.h"

/* Pixels. */
#define PLOT_HEIGHT 84
#define LABEL_GAP 4
#define LEGEND_GAP 8
#define SEGMENT_GAP 1.0f
#define STRIPE 6.0f

/* Entries may lie a little out of order where several hosts write one log. */
#define DISORDER_MS (G_GINT64_CONSTANT (3600) * 1000)

struct _KbTimelineChart
{
  GtkWidget parent_instance;

  GtkWidget *legend;
  GtkWidget *swatches[KB_TIMELINE_SERIES_MAX];

  KbHistory *history; /* owned, nullable */
  KbClock *clock;     /* owned, nullable */
  KbTimelineSpan span;
  KbTimeline *timeline; /* owned, nullable */
  char *summary;        /* owned */
};

G_DEFINE_FINAL_TYPE (KbTimelineChart, kb_timeline_chart, GTK_TYPE_WIDGET)

typedef enum
{
  PROP_SUMMARY = 1,
} KbTimelineChartProperty;

static GParamSpec *properties[PROP_SUMMARY + 1];

static GtkWidget *
create_legend_item (KbTimelineChart *self, guint index, const char *name)
{
  g_autofree char *style_class = g_strdup_printf ("series-%u", index);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *swatch = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *label = gtk_label_new (name);

  gtk_widget_add_css_class (swatch, "swatch");
  gtk_widget_add_css_class (swatch, style_class);
  gtk_widget_set_valign (swatch, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (label, "caption");
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_tooltip_text (label, name);
  gtk_box_append (GTK_BOX (box), swatch);
  gtk_box_append (GTK_BOX (box), label);
  self->swatches[index] = swatch;
  return box;
}

static GtkWidget *
create_give_up_item (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *swatch = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *label = gtk_label_new (_ ("Striped: gave up"));

  gtk_widget_add_css_class (swatch, "swatch");
  gtk_widget_add_css_class (swatch, "striped");
  gtk_widget_set_valign (swatch, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (label, "caption");
  gtk_widget_add_css_class (label, "dim-label");
  gtk_box_append (GTK_BOX (box), swatch);
  gtk_box_append (GTK_BOX (box), label);
  return box;
}

static void
append_to_legend (KbTimelineChart *self, GtkWidget *item)
{
  GtkWidget *child = gtk_flow_box_child_new ();

  gtk_flow_box_child_set_child (GTK_FLOW_BOX_CHILD (child), item);
  gtk_widget_set_focusable (child, FALSE);
  gtk_flow_box_append (GTK_FLOW_BOX (self->legend), child);
}

static void
update_legend (KbTimelineChart *self)
{
  const GPtrArray *series = kb_timeline_get_series (self->timeline);

  gtk_flow_box_remove_all (GTK_FLOW_BOX (self->legend));
  memset (self->swatches, 0, sizeof self->swatches);
  for (guint i = 0; i < series->len; i++)
    append_to_legend (
        self,
        create_legend_item (self, i, _kb_timeline_get_series_name (g_ptr_array_index (series, i))));
  if (kb_timeline_get_n_give_ups (self->timeline) > 0)
    append_to_legend (self, create_give_up_item ());
  gtk_widget_set_visible (self->legend, series->len > 0);
}

static void
update_summary (KbTimelineChart *self)
{
  g_autofree char *summary = _kb_timeline_describe (self->timeline, self->span);

  if (!g_set_str (&self->summary, summary))
    return;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  self->summary, -1);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SUMMARY]);
}

static gint64
get_utc_offset_ms (gint64 now_ms)
{
  g_autoptr (GDateTime) now = g_date_time_new_from_unix_local (now_ms / 1000);

  return now != NULL ? g_date_time_get_utc_offset (now) / 1000 : 0;
}

static void
count_events (KbTimelineChart *self)
{
  GListModel *entries = G_LIST_MODEL (self->history);
  guint n_items = g_list_model_get_n_items (entries);
  gint64 start_ms = kb_timeline_get_bucket_start (self->timeline, 0);

  for (guint i = 0; i < n_items; i++)
    {
      g_autoptr (KbHistoryEntry) entry = g_list_model_get_item (entries, i);
      const KbEventFields *fields = kb_history_entry_get_fields (entry);

      if (kb_timeline_add (self->timeline, fields) && fields->time_ms < start_ms - DISORDER_MS)
        break;
    }
}

static void
recount (KbTimelineChart *self)
{
  gint64 now_ms;

  if (self->history == NULL)
    return;
  now_ms = MAX (kb_clock_get_now_ms (self->clock), 0);
  g_clear_pointer (&self->timeline, kb_timeline_free);
  self->timeline = kb_timeline_new (self->span, now_ms, get_utc_offset_ms (now_ms));
  count_events (self);
  kb_timeline_finish (self->timeline);
  update_legend (self);
  update_summary (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
is_right_to_left (KbTimelineChart *self)
{
  return gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
}

static PangoLayout *
create_label (KbTimelineChart *self, const char *text)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();

  pango_attr_list_insert (attributes, pango_attr_scale_new (PANGO_SCALE_SMALL));
  pango_layout_set_attributes (layout, attributes);
  return layout;
}

static int
get_label_height (KbTimelineChart *self)
{
  g_autoptr (PangoLayout) layout = create_label (self, "0");
  int height;

  pango_layout_get_pixel_size (layout, NULL, &height);
  return height;
}

/* The lowest round number that the fullest bucket fits under, halves kept whole. */
static guint
get_scale_top (guint peak)
{
  static const guint steps[] = { 2, 4, 6, 10 };

  for (guint factor = 1; factor < G_MAXUINT / 100; factor *= 10)
    for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
      if (peak <= steps[i] * factor)
        return steps[i] * factor;
  return peak;
}

static guint
get_top (KbTimelineChart *self)
{
  return get_scale_top (kb_timeline_get_peak (self->timeline));
}

static int
get_number_width (KbTimelineChart *self)
{
  g_autofree char *number = g_strdup_printf ("%u", get_top (self));
  g_autoptr (PangoLayout) layout = create_label (self, number);
  int width;

  pango_layout_get_pixel_size (layout, &width, NULL);
  return width;
}

/* Where bars may stand: beside the numbers of the lines, above the labels of the hours. */
static graphene_rect_t
get_plot_area (KbTimelineChart *self)
{
  float margin = (float) get_number_width (self) + LABEL_GAP;
  float top = (float) get_label_height (self) / 2;
  float width = (float) gtk_widget_get_width (GTK_WIDGET (self)) - margin;

  return GRAPHENE_RECT_INIT (is_right_to_left (self) ? 0 : margin, top, MAX (width, 0),
                             PLOT_HEIGHT);
}

static void
draw_text (GtkSnapshot *snapshot, PangoLayout *layout, float x, float y, const GdkRGBA *color)
{
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (x, y));
  gtk_snapshot_append_layout (snapshot, layout, color);
  gtk_snapshot_restore (snapshot);
}

static void
draw_grid (KbTimelineChart *self, GtkSnapshot *snapshot, const graphene_rect_t *plot, guint top)
{
  float half = (float) get_label_height (self) / 2;
  GdkRGBA line, text;

  gtk_widget_get_color (GTK_WIDGET (self), &text);
  line = text;
  line.alpha *= 0.15f;
  text.alpha *= 0.7f;
  for (guint i = 0; i <= 2; i++)
    {
      float y = plot->origin.y + plot->size.height * (float) i / 2;
      g_autofree char *number = g_strdup_printf ("%u", top - top * i / 2);
      g_autoptr (PangoLayout) layout = create_label (self, number);
      float x = plot->size.width + LABEL_GAP;
      int width;

      pango_layout_get_pixel_size (layout, &width, NULL);
      if (!is_right_to_left (self))
        x = plot->origin.x - LABEL_GAP - (float) width;
      gtk_snapshot_append_color (snapshot, &line,
                                 &GRAPHENE_RECT_INIT (plot->origin.x, y, plot->size.width, 1));
      draw_text (snapshot, layout, x, y - half, &text);
    }
}

static void
draw_stripes (GtkSnapshot *snapshot, const graphene_rect_t *bar, const GdkRGBA *color)
{
  GdkRGBA clear = *color;
  GskRoundedRect frame;
  float edge = MIN (1.5f, bar->size.width / 3);

  clear.alpha = 0;
  gtk_snapshot_append_repeating_linear_gradient (
      snapshot, bar, &bar->origin,
      &GRAPHENE_POINT_INIT (bar->origin.x + STRIPE / 1.41f, bar->origin.y + STRIPE / 1.41f),
      (GskColorStop[]) { { 0, *color }, { 0.45f, *color }, { 0.45f, clear }, { 1, clear } }, 4);
  gsk_rounded_rect_init_from_rect (&frame, bar, 0);
  gtk_snapshot_append_border (snapshot, &frame, (float[]) { edge, edge, edge, edge },
                              (GdkRGBA[]) { *color, *color, *color, *color });
}

typedef struct
{
  GtkSnapshot *snapshot;
  graphene_rect_t slot; /* of one bucket, from the top of the plot to its base */
  float unit;           /* height of one event */
  guint stacked;
} Pile;

static void
draw_segment (Pile *pile, guint count, const GdkRGBA *color, gboolean striped)
{
  float height = (float) count * pile->unit;
  float bottom = pile->slot.origin.y + pile->slot.size.height - (float) pile->stacked * pile->unit;
  graphene_rect_t bar;

  if (count == 0)
    return;
  pile->stacked += count;
  bar = GRAPHENE_RECT_INIT (pile->slot.origin.x, bottom - height, pile->slot.size.width,
                            MAX (height - SEGMENT_GAP, 1.0f));
  if (striped)
    draw_stripes (pile->snapshot, &bar, color);
  else
    gtk_snapshot_append_color (pile->snapshot, color, &bar);
}

static void
draw_bucket (KbTimelineChart *self, Pile *pile, guint bucket)
{
  const GPtrArray *series = kb_timeline_get_series (self->timeline);
  GdkRGBA colors[KB_TIMELINE_SERIES_MAX];

  for (guint i = 0; i < series->len; i++)
    {
      const KbTimelineSeries *each = g_ptr_array_index (series, i);

      gtk_widget_get_color (self->swatches[i], &colors[i]);
      draw_segment (pile, each->failovers[bucket], &colors[i], FALSE);
    }
  for (guint i = 0; i < series->len; i++)
    {
      const KbTimelineSeries *each = g_ptr_array_index (series, i);

      draw_segment (pile, each->give_ups[bucket], &colors[i], TRUE);
    }
}

static graphene_rect_t
get_slot (KbTimelineChart *self, const graphene_rect_t *plot, guint bucket)
{
  guint n_buckets = kb_timeline_get_n_buckets (self->timeline);
  float width = plot->size.width / (float) n_buckets;
  float gap = width > 6 ? 2 : 1;
  guint place = is_right_to_left (self) ? n_buckets - 1 - bucket : bucket;

  return GRAPHENE_RECT_INIT (plot->origin.x + (float) place * width + gap / 2, plot->origin.y,
                             MAX (width - gap, 1.0f), plot->size.height);
}

/* The label of a bucket that begins at a round time, or NULL. */
static char *
get_axis_label (KbTimelineChart *self, guint bucket)
{
  gint64 start_ms = kb_timeline_get_bucket_start (self->timeline, bucket);
  g_autoptr (GDateTime) start = g_date_time_new_from_unix_local (start_ms / 1000);

  if (start == NULL)
    return NULL;
  switch (self->span)
    {
    case KB_TIMELINE_HOUR:
      return g_date_time_get_minute (start) % 10 == 0
                 ? g_date_time_format (start, C_ ("time", "%H:%M"))
                 : NULL;
    case KB_TIMELINE_WEEK:
      /* Translators: a day of the week below a chart, as in "Mon", for g_date_time_format() */
      return g_date_time_get_hour (start) < 6 ? g_date_time_format (start, C_ ("time", "%a"))
                                              : NULL;
    case KB_TIMELINE_DAY:
    default:
      return g_date_time_get_hour (start) % 3 == 0
                 ? g_date_time_format (start, C_ ("time", "%H:%M"))
                 : NULL;
    }
}

static void
draw_axis (KbTimelineChart *self, GtkSnapshot *snapshot, const graphene_rect_t *plot)
{
  float free_from = -1;
  float y = plot->origin.y + plot->size.height + LABEL_GAP;
  GdkRGBA color;

  gtk_widget_get_color (GTK_WIDGET (self), &color);
  color.alpha *= 0.7f;
  for (guint i = 0; i < kb_timeline_get_n_buckets (self->timeline); i++)
    {
      guint bucket
          = is_right_to_left (self) ? kb_timeline_get_n_buckets (self->timeline) - 1 - i : i;
      g_autofree char *text = get_axis_label (self, bucket);
      g_autoptr (PangoLayout) layout = NULL;
      float x = get_slot (self, plot, bucket).origin.x;
      int width;

      if (text == NULL)
        continue;
      layout = create_label (self, text);
      pango_layout_get_pixel_size (layout, &width, NULL);
      if (x < free_from || x + (float) width > plot->origin.x + plot->size.width)
        continue;
      draw_text (snapshot, layout, x, y, &color);
      free_from = x + (float) width + 12;
    }
}

static void
kb_timeline_chart_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  KbTimelineChart *self = KB_TIMELINE_CHART (widget);
  graphene_rect_t plot;
  guint top;

  GTK_WIDGET_CLASS (kb_timeline_chart_parent_class)->snapshot (widget, snapshot);
  if (self->timeline == NULL)
    return;
  plot = get_plot_area (self);
  top = get_top (self);
  draw_grid (self, snapshot, &plot, top);
  for (guint i = 0; i < kb_timeline_get_n_buckets (self->timeline); i++)
    {
      Pile pile = { .snapshot = snapshot,
                    .slot = get_slot (self, &plot, i),
                    .unit = plot.size.height / (float) top };

      draw_bucket (self, &pile, i);
    }
  draw_axis (self, snapshot, &plot);
}

static GtkSizeRequestMode
kb_timeline_chart_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

/* Half a line above the plot for the number of its top, one and the gap below it. */
static int
get_drawn_height (KbTimelineChart *self)
{
  return PLOT_HEIGHT + LABEL_GAP + get_label_height (self) * 3 / 2;
}

static void
kb_timeline_chart_measure (GtkWidget *widget,
                           GtkOrientation orientation,
                           int for_size,
                           int *minimum,
                           int *natural,
                           int *minimum_baseline,
                           int *natural_baseline)
{
  KbTimelineChart *self = KB_TIMELINE_CHART (widget);
  int legend_minimum = 0, legend_natural = 0;

  if (gtk_widget_should_layout (self->legend))
    gtk_widget_measure (self->legend, orientation, for_size, &legend_minimum, &legend_natural, NULL,
                        NULL);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = MAX (200, legend_minimum);
      *natural = MAX (480, legend_natural);
    }
  else
    {
      int plot = get_drawn_height (self);

      *minimum = plot + (legend_minimum > 0 ? LEGEND_GAP + legend_minimum : 0);
      *natural = plot + (legend_natural > 0 ? LEGEND_GAP + legend_natural : 0);
    }
}

static void
kb_timeline_chart_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  KbTimelineChart *self = KB_TIMELINE_CHART (widget);
  int top = get_drawn_height (self) + LEGEND_GAP;

  if (gtk_widget_should_layout (self->legend))
    gtk_widget_size_allocate (self->legend,
                              &(GtkAllocation) { 0, top, width, MAX (height - top, 1) }, -1);
}

static gboolean
kb_timeline_chart_query_tooltip (
    GtkWidget *widget, int x, int y, gboolean keyboard_tooltip, GtkTooltip *tooltip)
{
  KbTimelineChart *self = KB_TIMELINE_CHART (widget);
  g_autofree char *text = NULL;
  graphene_rect_t plot;
  guint n_buckets, bucket;
  float place;

  if (keyboard_tooltip || self->timeline == NULL)
    return FALSE;
  plot = get_plot_area (self);
  place = (float) x - plot.origin.x;
  if (place < 0 || place >= plot.size.width || (float) y > plot.origin.y + plot.size.height)
    return FALSE;
  n_buckets = kb_timeline_get_n_buckets (self->timeline);
  bucket = MIN ((guint) (place * (float) n_buckets / plot.size.width), n_buckets - 1);
  if (is_right_to_left (self))
    bucket = n_buckets - 1 - bucket;
  if (kb_timeline_count (self->timeline, bucket, KB_EVENT_FAILOVER)
          + kb_timeline_count (self->timeline, bucket, KB_EVENT_GIVE_UP)
      == 0)
    return FALSE;
  text = _kb_timeline_describe_bucket (self->timeline, self->span, bucket);
  if (text == NULL)
    return FALSE;
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

static void
kb_timeline_chart_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (kb_timeline_chart_parent_class)->map (widget);
  recount (KB_TIMELINE_CHART (widget));
}

static void
kb_timeline_chart_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  switch ((KbTimelineChartProperty) id)
    {
    case PROP_SUMMARY:
      g_value_set_string (value, KB_TIMELINE_CHART (object)->summary);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
kb_timeline_chart_dispose (GObject *object)
{
  KbTimelineChart *self = KB_TIMELINE_CHART (object);

  kb_timeline_chart_set_history (self, NULL, NULL);
  g_clear_pointer (&self->legend, gtk_widget_unparent);

  G_OBJECT_CLASS (kb_timeline_chart_parent_class)->dispose (object);
}

static void
kb_timeline_chart_finalize (GObject *object)
{
  KbTimelineChart *self = KB_TIMELINE_CHART (object);

  g_free (self->summary);

  G_OBJECT_CLASS (kb_timeline_chart_parent_class)->finalize (object);
}

static void
kb_timeline_chart_class_init (KbTimelineChartClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = kb_timeline_chart_get_property;
  object_class->dispose = kb_timeline_chart_dispose;
  object_class->finalize = kb_timeline_chart_finalize;
  widget_class->get_request_mode = kb_timeline_chart_get_request_mode;
  widget_class->measure = kb_timeline_chart_measure;
  widget_class->size_allocate = kb_timeline_chart_size_allocate;
  widget_class->snapshot = kb_timeline_chart_snapshot;
  widget_class->query_tooltip = kb_timeline_chart_query_tooltip;
  widget_class->map = kb_timeline_chart_map;

  properties[PROP_SUMMARY]
      = g_param_spec_string ("summary", NULL, NULL, NULL,
                             G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_properties (object_class, G_N_ELEMENTS (properties), properties);

  gtk_widget_class_set_css_name (widget_class, "timeline");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
kb_timeline_chart_init (KbTimelineChart *self)
{
  self->span = KB_TIMELINE_DAY;
  self->legend = g_object_new (GTK_TYPE_FLOW_BOX, "selection-mode", GTK_SELECTION_NONE,
                               "column-spacing", 12, "row-spacing", 3, "max-children-per-line", 8,
                               "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION, NULL);
  gtk_widget_set_parent (self->legend, GTK_WIDGET (self));
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Failovers over time"), -1);
}

GtkWidget *
kb_timeline_chart_new (void)
{
  return g_object_new (KB_TYPE_TIMELINE_CHART, NULL);
}

void
kb_timeline_chart_set_history (KbTimelineChart *self, KbHistory *history, KbClock *clock)
{
  g_return_if_fail (KB_IS_TIMELINE_CHART (self));
  g_return_if_fail ((history == NULL) == (clock == NULL));

  g_set_object (&self->clock, clock);
  g_clear_pointer (&self->timeline, kb_timeline_free);
  if (g_set_object (&self->history, history))
    kb_timeline_chart_refresh (self);
}

void
kb_timeline_chart_set_span (KbTimelineChart *self, KbTimelineSpan span)
{
  g_return_if_fail (KB_IS_TIMELINE_CHART (self));

  if (self->span == span)
    return;
  self->span = span;
  kb_timeline_chart_refresh (self);
}

/* Off screen nothing is counted: the next map counts anew. */
void
kb_timeline_chart_refresh (KbTimelineChart *self)
{
  g_return_if_fail (KB_IS_TIMELINE_CHART (self));

  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    recount (self);
}

const char *
kb_timeline_chart_get_summary (KbTimelineChart *self)
{
  g_return_val_if_fail (KB_IS_TIMELINE_CHART (self), NULL);
  return self->summary;
}

const KbTimeline *
kb_timeline_chart_get_timeline (KbTimelineChart *self)
{
  g_return_val_if_fail (KB_IS_TIMELINE_CHART (self), NULL);
  return self->timeline;
}
