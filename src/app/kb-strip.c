// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "app/kb-strip.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* An hour in bars of three minutes: narrow enough for a row, wide enough to see. */
#define MINUTES_PER_BAR 3
#define N_BARS (KB_CHANNEL_N_MINUTES / MINUTES_PER_BAR)
#define BAR_WIDTH 3
#define BAR_DISTANCE 4
#define HEIGHT 20

/* Where the line is: more goes well than fails. */
#define ABOVE 12
#define BELOW (HEIGHT - ABOVE - 1)

typedef struct
{
  guint n_ok;
  guint n_failed; /* those that were cut included */
} Bar;

struct _KbStrip
{
  GtkWidget parent_instance;

  GtkWidget *failed; /* never shown: it has the colour of what failed */
  Bar bars[N_BARS];  /* the oldest first */
  guint n_ok;
  guint n_failed;
  guint n_cut;
};

G_DEFINE_FINAL_TYPE (KbStrip, kb_strip, GTK_TYPE_WIDGET)

/* Few and many are told apart, and a single one is still seen. */
static float
get_height (guint n, guint most, float room)
{
  if (n == 0 || most == 0)
    return 0;
  return (float) MAX (2, round (room * sqrt ((double) n / most)));
}

static void
draw_bar (GtkSnapshot *snapshot, float x, const Bar *bar, guint most, const GdkRGBA colours[2])
{
  float above = get_height (bar->n_ok, most, ABOVE);
  float below = get_height (bar->n_failed, most, BELOW);

  gtk_snapshot_append_color (snapshot, &colours[0],
                             &GRAPHENE_RECT_INIT (x, ABOVE - above, BAR_WIDTH, above));
  gtk_snapshot_append_color (snapshot, &colours[1],
                             &GRAPHENE_RECT_INIT (x, ABOVE + 1, BAR_WIDTH, below));
}

static void
kb_strip_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  KbStrip *self = KB_STRIP (widget);
  GdkRGBA colours[2];
  GdkRGBA line;
  guint most = 0;

  gtk_widget_get_color (widget, &colours[0]);
  gtk_widget_get_color (self->failed, &colours[1]);
  line = colours[0];
  line.alpha *= 0.3f;
  for (guint i = 0; i < N_BARS; i++)
    most = MAX (most, MAX (self->bars[i].n_ok, self->bars[i].n_failed));
  for (guint i = 0; i < N_BARS; i++)
    {
      float x = (float) (i * BAR_DISTANCE);

      gtk_snapshot_append_color (snapshot, &line, &GRAPHENE_RECT_INIT (x, ABOVE, BAR_WIDTH, 1));
      draw_bar (snapshot, x, &self->bars[i], most, colours);
    }
}

static void
kb_strip_measure (GtkWidget *widget,
                  GtkOrientation orientation,
                  int for_size,
                  int *minimum,
                  int *natural,
                  int *minimum_baseline,
                  int *natural_baseline)
{
  *minimum = *natural
      = orientation == GTK_ORIENTATION_HORIZONTAL ? N_BARS * BAR_DISTANCE - 1 : HEIGHT;
}

static void
kb_strip_dispose (GObject *object)
{
  g_clear_pointer (&KB_STRIP (object)->failed, gtk_widget_unparent);

  G_OBJECT_CLASS (kb_strip_parent_class)->dispose (object);
}

static void
kb_strip_class_init (KbStripClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = kb_strip_dispose;
  widget_class->snapshot = kb_strip_snapshot;
  widget_class->measure = kb_strip_measure;

  gtk_widget_class_set_css_name (widget_class, "strip");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
kb_strip_init (KbStrip *self)
{
  self->failed = g_object_new (GTK_TYPE_BOX, "visible", FALSE, "accessible-role",
                               GTK_ACCESSIBLE_ROLE_PRESENTATION, NULL);
  gtk_widget_add_css_class (self->failed, "failed");
  gtk_widget_set_parent (self->failed, GTK_WIDGET (self));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

GtkWidget *
kb_strip_new (void)
{
  return g_object_new (KB_TYPE_STRIP, NULL);
}

/* The newest minute is in the last bar; the array may be shorter than an hour. */
static void
count (KbStrip *self, const GArray *minutes)
{
  memset (self->bars, 0, sizeof self->bars);
  self->n_ok = self->n_failed = self->n_cut = 0;
  for (guint back = 0; back < minutes->len && back < KB_CHANNEL_N_MINUTES; back++)
    {
      const KbChannelMinute *minute
          = &g_array_index (minutes, KbChannelMinute, minutes->len - 1 - back);
      Bar *bar = &self->bars[N_BARS - 1 - back / MINUTES_PER_BAR];

      bar->n_ok += minute->n_ok;
      bar->n_failed += minute->n_failed + minute->n_cut;
      self->n_ok += minute->n_ok;
      self->n_failed += minute->n_failed;
      self->n_cut += minute->n_cut;
    }
}

static void
describe (KbStrip *self)
{
  /* Translators: numbers of requests */
  g_autofree char *text
      = g_strdup_printf (_ ("Last hour: %1$u went well, %2$u failed, %3$u cut in mid-answer"),
                         self->n_ok, self->n_failed, self->n_cut);

  gtk_widget_set_tooltip_text (GTK_WIDGET (self), text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

void
kb_strip_set_report (KbStrip *self, const KbChannelReport *report)
{
  gboolean visible;

  g_return_if_fail (KB_IS_STRIP (self));

  if (report != NULL)
    count (self, report->minutes);
  visible = report != NULL && self->n_ok + self->n_failed + self->n_cut > 0;
  gtk_widget_set_visible (GTK_WIDGET (self), visible);
  if (!visible)
    return;
  describe (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

guint
kb_strip_get_n_bars (KbStrip *self)
{
  guint n = 0;

  g_return_val_if_fail (KB_IS_STRIP (self), 0);

  for (guint i = 0; i < N_BARS; i++)
    n += self->bars[i].n_ok + self->bars[i].n_failed > 0;
  return n;
}
