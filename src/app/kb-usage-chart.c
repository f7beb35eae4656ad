// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "app/kb-usage-chart.h"

#include <glib/gi18n-lib.h>

/* Pixels. */
#define PLOT_HEIGHT 140
#define LABEL_GAP 6
#define LEGEND_GAP 10
#define BAR_GAP 4.0f

/* From the bottom of a bar to its top. */
enum
{
  SERIES_FRESH,
  SERIES_CACHED,
  SERIES_OUTPUT,
  N_SERIES,
};

struct _KbUsageChart
{
  GtkWidget parent_instance;

  GtkWidget *legend;
  GtkWidget *swatches[N_SERIES];
  const KbUsageDays *days; /* borrowed, nullable */
};

G_DEFINE_FINAL_TYPE (KbUsageChart, kb_usage_chart, GTK_TYPE_WIDGET)

static gint64
get_value (const KbUsageSum *sum, guint series)
{
  if (series == SERIES_FRESH)
    return sum->input - sum->cached;
  return series == SERIES_CACHED ? sum->cached : sum->output;
}

static gint64
get_top (KbUsageChart *self)
{
  gint64 top = 1;

  for (guint i = 0; i < self->days->n_days; i++)
    top = MAX (top, self->days->days[i].input + self->days->days[i].output);
  return top;
}

static PangoLayout *
create_label (KbUsageChart *self, const char *text)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();

  pango_attr_list_insert (attributes, pango_attr_scale_new (PANGO_SCALE_SMALL));
  pango_layout_set_attributes (layout, attributes);
  return layout;
}

static int
get_label_height (KbUsageChart *self)
{
  g_autoptr (PangoLayout) layout = create_label (self, "0");
  int height;

  pango_layout_get_pixel_size (layout, NULL, &height);
  return height;
}

static graphene_rect_t
get_plot_area (KbUsageChart *self)
{
  return GRAPHENE_RECT_INIT (0, (float) get_label_height (self) + LABEL_GAP,
                             (float) gtk_widget_get_width (GTK_WIDGET (self)), PLOT_HEIGHT);
}

static gboolean
is_right_to_left (KbUsageChart *self)
{
  return gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
}

static graphene_rect_t
get_slot (KbUsageChart *self, const graphene_rect_t *plot, guint day)
{
  float width = plot->size.width / (float) self->days->n_days;
  guint place = is_right_to_left (self) ? self->days->n_days - 1 - day : day;

  return GRAPHENE_RECT_INIT (plot->origin.x + (float) place * width + BAR_GAP / 2, plot->origin.y,
                             MAX (width - BAR_GAP, 1.0f), plot->size.height);
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
draw_bar (KbUsageChart *self, GtkSnapshot *snapshot, const graphene_rect_t *plot, guint day)
{
  graphene_rect_t slot = get_slot (self, plot, day);
  float unit = plot->size.height / (float) get_top (self);
  float bottom = plot->origin.y + plot->size.height;

  for (guint i = 0; i < N_SERIES; i++)
    {
      gint64 value = get_value (&self->days->days[day], i);
      float height = (float) value * unit;
      GdkRGBA color;

      if (value <= 0)
        continue;
      gtk_widget_get_color (self->swatches[i], &color);
      bottom -= height;
      gtk_snapshot_append_color (
          snapshot, &color,
          &GRAPHENE_RECT_INIT (slot.origin.x, bottom, slot.size.width, MAX (height - 1, 1)));
    }
}

static void
draw_axis (KbUsageChart *self, GtkSnapshot *snapshot, const graphene_rect_t *plot)
{
  float y = plot->origin.y + plot->size.height + LABEL_GAP;
  float free_from = -1;
  GdkRGBA color;

  gtk_widget_get_color (GTK_WIDGET (self), &color);
  color.alpha *= 0.7f;
  for (guint i = 0; i < self->days->n_days; i++)
    {
      guint day = is_right_to_left (self) ? self->days->n_days - 1 - i : i;
      g_autofree char *text = kb_usage_days_format_date (self->days, day);
      g_autoptr (PangoLayout) layout = create_label (self, text);
      float x = get_slot (self, plot, day).origin.x;
      int width;

      pango_layout_get_pixel_size (layout, &width, NULL);
      if (x < free_from || x + (float) width > plot->origin.x + plot->size.width)
        continue;
      draw_text (snapshot, layout, x, y, &color);
      free_from = x + (float) width + 12;
    }
}

static void
draw_grid (KbUsageChart *self, GtkSnapshot *snapshot, const graphene_rect_t *plot)
{
  g_autofree char *text = kb_format_tokens (get_top (self));
  g_autoptr (PangoLayout) layout = create_label (self, text);
  GdkRGBA line, color;
  int width;

  gtk_widget_get_color (GTK_WIDGET (self), &color);
  color.alpha *= 0.7f;
  line = color;
  line.alpha *= 0.3f;
  pango_layout_get_pixel_size (layout, &width, NULL);
  draw_text (snapshot, layout,
             is_right_to_left (self) ? plot->origin.x + plot->size.width - (float) width : 0, 0,
             &color);
  for (guint i = 0; i < 3; i++)
    gtk_snapshot_append_color (
        snapshot, &line,
        &GRAPHENE_RECT_INIT (plot->origin.x, plot->origin.y + plot->size.height * (float) i / 2,
                             plot->size.width, 1));
}

static void
kb_usage_chart_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  KbUsageChart *self = KB_USAGE_CHART (widget);
  graphene_rect_t plot;

  GTK_WIDGET_CLASS (kb_usage_chart_parent_class)->snapshot (widget, snapshot);
  if (self->days == NULL)
    return;
  plot = get_plot_area (self);
  draw_grid (self, snapshot, &plot);
  for (guint i = 0; i < self->days->n_days; i++)
    draw_bar (self, snapshot, &plot, i);
  draw_axis (self, snapshot, &plot);
}

static GtkSizeRequestMode
kb_usage_chart_get_request_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

/* A line above the plot for the number of its top, one below it for the dates. */
static int
get_drawn_height (KbUsageChart *self)
{
  return PLOT_HEIGHT + 2 * (LABEL_GAP + get_label_height (self)) + LEGEND_GAP;
}

static void
kb_usage_chart_measure (GtkWidget *widget,
                        GtkOrientation orientation,
                        int for_size,
                        int *minimum,
                        int *natural,
                        int *minimum_baseline,
                        int *natural_baseline)
{
  KbUsageChart *self = KB_USAGE_CHART (widget);

  gtk_widget_measure (self->legend, orientation, for_size, minimum, natural, NULL, NULL);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = MAX (*minimum, 200);
      *natural = MAX (*natural, 480);
      return;
    }
  *minimum += get_drawn_height (self);
  *natural += get_drawn_height (self);
}

static void
kb_usage_chart_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  KbUsageChart *self = KB_USAGE_CHART (widget);
  int top = get_drawn_height (self);

  gtk_widget_size_allocate (self->legend, &(GtkAllocation) { 0, top, width, MAX (height - top, 1) },
                            -1);
}

static gboolean
kb_usage_chart_query_tooltip (
    GtkWidget *widget, int x, int y, gboolean keyboard_tooltip, GtkTooltip *tooltip)
{
  KbUsageChart *self = KB_USAGE_CHART (widget);
  g_autofree char *date = NULL;
  g_autofree char *sum = NULL;
  g_autofree char *text = NULL;
  guint day;

  if (keyboard_tooltip || self->days == NULL || x < 0 || x >= gtk_widget_get_width (widget))
    return FALSE;
  day = (guint) x * self->days->n_days / (guint) gtk_widget_get_width (widget);
  if (is_right_to_left (self))
    day = self->days->n_days - 1 - day;
  if (self->days->days[day].answers == 0)
    return FALSE;
  date = kb_usage_days_format_date (self->days, day);
  sum = kb_usage_days_format_sum (&self->days->days[day]);
  /* Translators: a date, and the tokens of that day: "1 Dec: 12.3 k in, 4 k out" */
  text = g_strdup_printf (_ ("%s: %s"), date, sum);
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

static void
kb_usage_chart_dispose (GObject *object)
{
  KbUsageChart *self = KB_USAGE_CHART (object);

  self->days = NULL;
  g_clear_pointer (&self->legend, gtk_widget_unparent);

  G_OBJECT_CLASS (kb_usage_chart_parent_class)->dispose (object);
}

static void
kb_usage_chart_class_init (KbUsageChartClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = kb_usage_chart_dispose;
  widget_class->snapshot = kb_usage_chart_snapshot;
  widget_class->get_request_mode = kb_usage_chart_get_request_mode;
  widget_class->measure = kb_usage_chart_measure;
  widget_class->size_allocate = kb_usage_chart_size_allocate;
  widget_class->query_tooltip = kb_usage_chart_query_tooltip;
  gtk_widget_class_set_css_name (widget_class, "usagechart");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
add_legend_item (KbUsageChart *self, guint series, const char *style_class, const char *name)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *swatch = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *label = gtk_label_new (name);

  gtk_widget_add_css_class (swatch, "swatch");
  gtk_widget_add_css_class (swatch, style_class);
  gtk_widget_set_valign (swatch, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (label, "caption");
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_box_append (GTK_BOX (box), swatch);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (self->legend), box);
  self->swatches[series] = swatch;
}

static void
kb_usage_chart_init (KbUsageChart *self)
{
  self->legend = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 18);
  gtk_widget_set_parent (self->legend, GTK_WIDGET (self));
  add_legend_item (self, SERIES_FRESH, "series-0", _ ("In"));
  add_legend_item (self, SERIES_CACHED, "series-5", _ ("In, cached"));
  add_legend_item (self, SERIES_OUTPUT, "series-1", _ ("Out"));
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
}

/* @days must stay until others are set, or the chart is gone. */
void
kb_usage_chart_set_days (KbUsageChart *self, const KbUsageDays *days)
{
  g_return_if_fail (KB_IS_USAGE_CHART (self));

  self->days = days;
  if (days != NULL)
    {
      g_autofree char *summary = kb_usage_days_describe (days);

      gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, summary,
                                      -1);
    }
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
