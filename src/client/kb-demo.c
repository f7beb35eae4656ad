// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#define G_LOG_DOMAIN "kb-demo"

#include "client/kb-demo.h"

#include <unistd.h>

#include "client/kb-demo-home.h"
#include "core/kb-chain.h"
#include "store/kb-health-store.h"
#include "store/kb-log-writer.h"

/* Small, so that a demo of a few minutes shows a rotation. The past of a day fits in. */
#define ROTATE_BYTES (24 * 1024)

/* The past: bursts of trouble, from a day ago until half an hour ago. */
#define N_BURSTS 10
#define FIRST_BURST_MINUTES 1410
#define BURST_DISTANCE_MINUTES 153
#define BOOT_EVERY 4

typedef enum
{
  ACT_SUCCEED,
  ACT_FAIL,
  ACT_REST,
  ACT_END, /* the session ends; the next one has its switches again */
} Act;

typedef struct
{
  Act act;
  guint channel;
  const char *code;
  gint64 status;
  gboolean exhausted; /* the route's own retries are used up: opens the circuit at once */
  guint pause_ms;     /* until the next step */
} Step;

/* What happens to the channels; what follows from it is decided by the chain engine. */
static const Step script[] = {
  { ACT_SUCCEED, 0, NULL, -1, FALSE, 2000 },
  /* The head is rate limited until it is counted out. */
  { ACT_FAIL, 0, "RATE_LIMIT", 429, FALSE, 1500 },
  { ACT_FAIL, 0, "RATE_LIMIT", 429, FALSE, 1500 },
  { ACT_FAIL, 0, "RATE_LIMIT", 429, FALSE, 2500 },
  { ACT_SUCCEED, 1, NULL, -1, FALSE, 3000 },
  /* The second one has an outage while the head still cools down. */
  { ACT_FAIL, 1, "SERVER", 503, FALSE, 1500 },
  { ACT_FAIL, 1, "SERVER", 500, FALSE, 1500 },
  { ACT_FAIL, 1, "SERVER", 503, FALSE, 2500 },
  { ACT_SUCCEED, 2, NULL, -1, FALSE, 3000 },
  /* Recovery: the head is tried again, then the second one. */
  { ACT_SUCCEED, 0, NULL, -1, FALSE, 2500 },
  { ACT_FAIL, 2, "TIMEOUT", -1, FALSE, 1500 },
  { ACT_SUCCEED, 1, NULL, -1, FALSE, 3000 },
  /* One after the other, until none is left. */
  { ACT_FAIL, 0, "QUOTA", 402, FALSE, 2000 },
  { ACT_FAIL, 1, "RATE_LIMIT", 429, TRUE, 2000 },
  { ACT_FAIL, 2, "TRANSPORT", -1, TRUE, 2000 },
  { ACT_FAIL, 3, "SERVER", 502, TRUE, 3000 },
  { ACT_REST, 0, NULL, -1, FALSE, 3000 },
  { ACT_REST, 0, NULL, -1, FALSE, 3000 },
  /* All is well again. */
  { ACT_SUCCEED, 0, NULL, -1, FALSE, 2000 },
  { ACT_SUCCEED, 1, NULL, -1, FALSE, 1500 },
  { ACT_SUCCEED, 2, NULL, -1, FALSE, 1500 },
  { ACT_SUCCEED, 3, NULL, -1, FALSE, 3000 },
  { ACT_END, 0, NULL, -1, FALSE, 1500 },
};

struct _KbDemo
{
  GObject parent_instance;

  char *home;                 /* owned */
  char *health_file;          /* owned */
  char *log_file;             /* owned */
  KbChain *chain;             /* owned */
  KbHealthDocument *document; /* owned: what the health file holds */
  char *session;              /* owned: agent id of the present session */
  guint n_sessions;
  guint position; /* in the script */
  gint64 turn;
  guint source_id;
};

G_DEFINE_FINAL_TYPE (KbDemo, kb_demo, G_TYPE_OBJECT)

static const char *
channel_id (guint index)
{
  g_assert (index < KB_DEMO_N_CHANNELS);
  return kb_demo_home_get_channels ()[index];
}

static void
begin_session (KbDemo *self)
{
  self->n_sessions++;
  self->turn = 0;
  g_free (self->session);
  self->session = g_strdup_printf ("session-de300000-0000-4000-8000-%012x", self->n_sessions);
}

static gboolean
append (KbDemo *self, const KbEventFields *fields, GError **error)
{
  return kb_log_writer_append (self->log_file, fields, ROTATE_BYTES, error);
}

static gboolean
append_boot (KbDemo *self, gint64 now_ms, GError **error)
{
  KbEventFields fields = KB_EVENT_FIELDS_INIT;

  fields.kind = KB_EVENT_BOOT;
  fields.kind_name = "boot";
  fields.time_ms = now_ms;
  fields.pid = getpid ();
  fields.channels = kb_demo_home_get_channels ();
  fields.failure_budget = KB_DEMO_FAILURE_BUDGET;
  fields.cooldown_ms = KB_DEMO_COOLDOWN_MS;
  fields.give_up_budget = KB_DEMO_GIVE_UP_BUDGET;
  return append (self, &fields, error);
}

/* As the plugin does it: a retry leaves no line, a hop and a give-up leave one. */
static gboolean
append_decision (
    KbDemo *self, const Step *step, const KbDecision *decision, gint64 now_ms, GError **error)
{
  KbEventFields fields = KB_EVENT_FIELDS_INIT;

  if (decision->verdict == KB_VERDICT_RETRY_NOW)
    return TRUE;
  fields.kind = decision->verdict == KB_VERDICT_FAILOVER ? KB_EVENT_FAILOVER : KB_EVENT_GIVE_UP;
  fields.kind_name = fields.kind == KB_EVENT_FAILOVER ? "failover" : "give-up";
  fields.time_ms = now_ms;
  fields.agent = self->session;
  fields.from = channel_id (step->channel);
  fields.to = decision->target;
  fields.reason = fields.kind == KB_EVENT_FAILOVER
                      ? step->code
                      : kb_give_up_reason_to_string (decision->give_up_reason);
  fields.status = step->status;
  fields.turn = self->turn;
  fields.step = 1;
  fields.failover_count = decision->failover_count;
  fields.give_up_budget = KB_DEMO_GIVE_UP_BUDGET;
  fields.retry_exhausted = fields.kind == KB_EVENT_FAILOVER && step->exhausted;
  return append (self, &fields, error);
}

static gboolean
save_health (KbDemo *self, GError **error)
{
  return kb_health_store_save (self->health_file, self->document, error);
}

static void
note_breaker (KbDemo *self, guint channel)
{
  KbBreaker breaker;

  if (kb_chain_get_breaker (self->chain, channel_id (channel), &breaker))
    kb_health_document_set (self->document, channel_id (channel), breaker);
}

static gboolean
act_fail (KbDemo *self, const Step *step, gint64 now_ms, GError **error)
{
  KbChainSignal signal = { channel_id (step->channel), step->code, step->exhausted };
  KbDecision decision;

  self->turn++;
  decision = kb_chain_report_failure (self->chain, self->session, &signal, now_ms);
  note_breaker (self, step->channel);
  return append_decision (self, step, &decision, now_ms, error);
}

/* Plays the next step at a time of the caller's choice; the health file is the caller's. */
static const Step *
play_step (KbDemo *self, gint64 now_ms, GError **error)
{
  const Step *step = &script[self->position];

  self->position = (self->position + 1) % G_N_ELEMENTS (script);
  switch (step->act)
    {
    case ACT_SUCCEED:
      self->turn++;
      kb_chain_report_success (self->chain, channel_id (step->channel), now_ms);
      note_breaker (self, step->channel);
      break;
    case ACT_FAIL:
      if (!act_fail (self, step, now_ms, error))
        return NULL;
      break;
    case ACT_END:
      kb_chain_forget_scope (self->chain, self->session);
      begin_session (self);
      break;
    case ACT_REST:
    default:
      break;
    }
  return step;
}

/* Every second session of the past lives through two bursts and runs out of switches. */
static gboolean
play_burst (KbDemo *self, guint index, gint64 time_ms, GError **error)
{
  if (index % BOOT_EVERY == 0 && !append_boot (self, time_ms - 1000, error))
    return FALSE;
  do
    {
      const Step *step;

      if (script[self->position].act == ACT_END && index % 2 == 0)
        {
          self->position = 0;
          return TRUE;
        }
      step = play_step (self, time_ms, error);
      if (step == NULL)
        return FALSE;
      time_ms += step->pause_ms;
    }
  while (self->position != 0);
  return TRUE;
}

static gboolean
write_past (KbDemo *self, gint64 now_ms, GError **error)
{
  begin_session (self);
  for (guint i = 0; i < N_BURSTS; i++)
    {
      gint64 minutes_ago = FIRST_BURST_MINUTES - (gint64) i * BURST_DISTANCE_MINUTES;

      if (!play_burst (self, i, now_ms - minutes_ago * 60 * 1000, error))
        return FALSE;
    }
  return save_health (self, error);
}

static gint64
get_now_ms (void)
{
  return g_get_real_time () / 1000;
}

/* Someone may remove the folder under a running demo: then the play is over. */
static guint
step_now (KbDemo *self)
{
  g_autoptr (GError) error = NULL;
  const Step *step = play_step (self, get_now_ms (), &error);

  if (step != NULL && step->act != ACT_REST && step->act != ACT_END && !save_health (self, &error))
    step = NULL;
  if (step == NULL)
    {
      g_info ("the demo cannot go on: %s", error->message);
      return 0;
    }
  return step->pause_ms;
}

static void schedule (KbDemo *self, guint pause_ms);

static void
demo_timeout_cb (gpointer user_data)
{
  KbDemo *self = KB_DEMO (user_data);
  guint pause_ms;

  self->source_id = 0;
  pause_ms = step_now (self);
  if (pause_ms > 0)
    schedule (self, pause_ms);
}

static void
schedule (KbDemo *self, guint pause_ms)
{
  g_assert (self->source_id == 0);

  self->source_id = g_timeout_add_once (pause_ms, demo_timeout_cb, self);
  g_source_set_name_by_id (self->source_id, "[koboshi] demo player");
}

static void
kb_demo_dispose (GObject *object)
{
  KbDemo *self = KB_DEMO (object);

  g_clear_handle_id (&self->source_id, g_source_remove);
  G_OBJECT_CLASS (kb_demo_parent_class)->dispose (object);
}

static void
kb_demo_finalize (GObject *object)
{
  KbDemo *self = KB_DEMO (object);

  if (self->home != NULL)
    kb_demo_home_remove (self->home);
  g_free (self->home);
  g_free (self->health_file);
  g_free (self->log_file);
  g_free (self->session);
  kb_chain_free (self->chain);
  g_clear_pointer (&self->document, kb_health_document_free);
  G_OBJECT_CLASS (kb_demo_parent_class)->finalize (object);
}

static void
kb_demo_class_init (KbDemoClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = kb_demo_dispose;
  object_class->finalize = kb_demo_finalize;
}

static void
kb_demo_init (KbDemo *self)
{
  const KbChainPolicy policy = {
    .limits = { KB_DEMO_FAILURE_BUDGET, KB_DEMO_COOLDOWN_MS },
    .give_up_budget = KB_DEMO_GIVE_UP_BUDGET,
    .trip_on_retry_exhausted = TRUE,
  };

  self->chain = kb_chain_new (&policy, kb_demo_home_get_channels ());
  kb_chain_set_preferred (self->chain, channel_id (KB_DEMO_BACKUP));
  self->document = kb_health_document_new ();
}

/**
 * kb_demo_new:
 * @error: the reason why there is none
 *
 * Makes a home of its own among the temporary files, with a day of history. It is removed
 * with the object. Errors are those of writing files.
 *
 * Returns: (transfer full) (nullable): a demo that stands still
 */
KbDemo *
kb_demo_new (GError **error)
{
  g_autoptr (KbDemo) self = g_object_new (KB_TYPE_DEMO, NULL);

  self->home = kb_demo_home_make (error);
  if (self->home == NULL)
    return NULL;
  self->health_file = kb_demo_home_get_health (self->home);
  self->log_file = kb_demo_home_get_log (self->home);
  if (!write_past (self, get_now_ms (), error))
    return NULL;
  return g_steal_pointer (&self);
}

/**
 * kb_demo_get_home:
 * @self: a demo
 *
 * Returns: (transfer none): the path of its home
 */
const char *
kb_demo_get_home (KbDemo *self)
{
  g_return_val_if_fail (KB_IS_DEMO (self), NULL);
  return self->home;
}

/**
 * kb_demo_get_profile:
 * @self: a demo
 *
 * Returns: (transfer none): the name of its only profile
 */
const char *
kb_demo_get_profile (KbDemo *self)
{
  g_return_val_if_fail (KB_IS_DEMO (self), NULL);
  return KB_DEMO_PROFILE;
}

/**
 * kb_demo_play:
 * @self: a demo
 *
 * Starts the player on the main context: a step every one and a half to three seconds, over
 * and over until the demo is disposed of. A demo that plays already is left alone.
 */
void
kb_demo_play (KbDemo *self)
{
  guint pause_ms;

  g_return_if_fail (KB_IS_DEMO (self));

  if (self->source_id != 0)
    return;
  pause_ms = step_now (self);
  if (pause_ms > 0)
    schedule (self, pause_ms);
}

/**
 * kb_demo_step:
 * @self: a demo
 *
 * Plays one step now.
 */
void
kb_demo_step (KbDemo *self)
{
  g_return_if_fail (KB_IS_DEMO (self));
  step_now (self);
}
