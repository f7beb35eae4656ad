// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-failure-policy.h"
#include "core/kb-rotation.h"

#include "kb-test-vectors.h"

/*
 * The route-resilience vectors. A step of an agent keeps the target it was given; a failure
 * with a listed code moves it on.
 */

#define CAP_MS 3600000

typedef struct
{
  char *name; /* provider */
  KbQuarantine quarantine;
  KbQuarantinePolicy policy; /* of the first group that names it */
} Provider;

typedef struct
{
  char *key; /* agent, turn, step */
  guint target;
} Pin;

typedef struct
{
  GPtrArray *providers; /* (element-type Provider) */
  GPtrArray *targets;   /* (element-type Provider) of the active group, borrowed */
  GPtrArray *pins;      /* (element-type Pin) */
  const char *group;    /* (nullable) id of the active one */
  guint pointer;
  gboolean has_turned;
  GPtrArray *out, *events;
  GArray *delays; /* (element-type gint64) */
} World;

static void
provider_free (gpointer data)
{
  g_free (((Provider *) data)->name);
  g_free (data);
}

static void
pin_free (gpointer data)
{
  g_free (((Pin *) data)->key);
  g_free (data);
}

static Provider *
find_provider (World *world, const char *name)
{
  for (guint i = 0; i < world->providers->len; i++)
    {
      Provider *provider = world->providers->pdata[i];

      if (g_str_equal (provider->name, name))
        return provider;
    }
  return NULL;
}

static Provider *
add_provider (World *world, const char *name, JsonObject *group)
{
  Provider *provider = find_provider (world, name);

  if (provider != NULL)
    return provider;
  provider = g_new0 (Provider, 1);
  provider->name = g_strdup (name);
  provider->policy.base_ms = json_object_get_double_member (group, "quarantineBaseMs");
  provider->policy.most_ms = json_object_get_double_member (group, "quarantineCapMs");
  g_ptr_array_add (world->providers, provider);
  return provider;
}

static void
add_group (World *world, JsonObject *group, const char *active)
{
  JsonArray *targets = json_object_get_array_member (group, "targets");
  const char *id = json_object_get_string_member (group, "id");

  for (guint i = 0; i < json_array_get_length (targets); i++)
    {
      JsonObject *target = json_array_get_object_element (targets, i);
      Provider *provider
          = add_provider (world, json_object_get_string_member (target, "provider"), group);

      if (g_str_equal (id, active))
        g_ptr_array_add (world->targets, provider);
    }
}

static void
world_init (World *world, JsonObject *in)
{
  JsonArray *groups = json_object_get_array_member (in, "groups");

  *world = (World) { .group = json_object_get_string_member (in, "activeGroup") };
  world->providers = g_ptr_array_new_with_free_func (provider_free);
  world->targets = g_ptr_array_new ();
  world->pins = g_ptr_array_new_with_free_func (pin_free);
  world->out = g_ptr_array_new_with_free_func (g_free);
  world->events = g_ptr_array_new_with_free_func (g_free);
  world->delays = g_array_new (FALSE, FALSE, sizeof (gint64));
  for (guint i = 0; i < json_array_get_length (groups); i++)
    add_group (world, json_array_get_object_element (groups, i), world->group);
}

static void
world_clear (World *world)
{
  g_ptr_array_unref (world->providers);
  g_ptr_array_unref (world->targets);
  g_ptr_array_unref (world->pins);
  g_ptr_array_unref (world->out);
  g_ptr_array_unref (world->events);
  g_array_unref (world->delays);
}

static void
note_event (World *world, const Provider *provider, const char *what)
{
  g_ptr_array_add (world->events, g_strconcat (provider->name, ":", what, NULL));
}

static const KbQuarantine **
healths_of (World *world)
{
  const KbQuarantine **healths = g_new0 (const KbQuarantine *, world->targets->len);

  for (guint i = 0; i < world->targets->len; i++)
    healths[i] = &((Provider *) world->targets->pdata[i])->quarantine;
  return healths;
}

static char *
key_of (JsonObject *step)
{
  return g_strdup_printf ("%s %d %d", json_object_get_string_member (step, "agent"),
                          (int) json_object_get_int_member (step, "turn"),
                          (int) json_object_get_int_member (step, "step"));
}

static Pin *
find_pin (World *world, const char *key)
{
  for (guint i = 0; i < world->pins->len; i++)
    {
      Pin *pin = world->pins->pdata[i];

      if (g_str_equal (pin->key, key))
        return pin;
    }
  return NULL;
}

static Pin *
take_turn (World *world, const char *key, gint64 at_ms)
{
  g_autofree const KbQuarantine **healths = healths_of (world);
  KbTurn turn = kb_rotation_take_turn (healths, world->targets->len, world->pointer, at_ms);
  Provider *provider = world->targets->pdata[turn.target];
  Pin *pin = g_new0 (Pin, 1);

  if (turn.kind == KB_TURN_REVIVED || turn.kind == KB_TURN_WOKEN)
    {
      kb_quarantine_revive (&provider->quarantine);
      note_event (world, provider, "revived");
    }
  world->pointer = turn.pointer;
  world->has_turned = TRUE;
  pin->key = g_strdup (key);
  pin->target = turn.target;
  g_ptr_array_add (world->pins, pin);
  return pin;
}

static void
do_route (World *world, JsonObject *step, gint64 at_ms)
{
  g_autofree char *key = key_of (step);
  const char *asked = json_object_get_string_member (step, "provider");
  Pin *pin = find_pin (world, key);

  if (!g_str_equal (asked, world->group))
    {
      g_ptr_array_add (world->out, g_strdup (asked));
      return;
    }
  if (pin == NULL)
    pin = take_turn (world, key, at_ms);
  g_ptr_array_add (world->out, g_strdup (((Provider *) world->targets->pdata[pin->target])->name));
}

/* The plugin's own three: what the gateway gets from the failure table for its groups. */
static void
take_failure (World *world, Provider *provider, JsonObject *step, gint64 at_ms)
{
  const char *code = json_object_get_string_member (step, "code");
  int status = (int) json_object_get_int_member_with_default (step, "status", 0);
  gint64 asked = json_object_get_int_member_with_default (step, "retryAfterMs", 0);
  static const char *const refusals[] = { "AUTH", "INVALID_CREDENTIAL", "QUOTA", NULL };

  if (g_str_equal (code, "RATE_LIMIT") || status == 429)
    {
      gint64 delay = kb_quarantine_take_rate_limit (&provider->quarantine, &provider->policy, asked,
                                                    CAP_MS, at_ms);

      g_array_append_val (world->delays, delay);
      note_event (world, provider, "quarantined");
    }
  else if (g_strv_contains (refusals, code) || (status >= 401 && status <= 403))
    {
      kb_quarantine_disable (&provider->quarantine);
      note_event (world, provider, "disabled");
    }
}

static void
do_fail (World *world, JsonObject *step, gint64 at_ms)
{
  g_autofree char *key = key_of (step);
  g_autofree const KbQuarantine **healths = healths_of (world);
  const char *code = json_object_get_string_member (step, "code");
  Pin *pin = find_pin (world, key);
  Provider *provider;

  g_assert_nonnull (pin);
  provider = world->targets->pdata[pin->target];
  take_failure (world, provider, step, at_ms);
  if (!kb_failure_is_retryable (code)
      || !kb_rotation_find_next (healths, world->targets->len, pin->target, at_ms, &pin->target))
    {
      g_ptr_array_add (world->out, g_strdup ("none"));
      return;
    }
  provider = world->targets->pdata[pin->target];
  g_ptr_array_add (world->out, g_strconcat ("to:", provider->name, NULL));
}

static void
do_finish_turn (World *world, JsonObject *step)
{
  g_autofree char *prefix
      = g_strdup_printf ("%s %d ", json_object_get_string_member (step, "agent"),
                         (int) json_object_get_int_member (step, "turn"));

  for (guint i = world->pins->len; i > 0; i--)
    {
      if (g_str_has_prefix (((Pin *) world->pins->pdata[i - 1])->key, prefix))
        g_ptr_array_remove_index (world->pins, i - 1);
    }
}

static void
do_step (World *world, JsonObject *step)
{
  const char *what = json_object_get_string_member (step, "do");
  gint64 at_ms = json_object_get_int_member (step, "at");

  if (g_str_equal (what, "route"))
    do_route (world, step, at_ms);
  else if (g_str_equal (what, "fail"))
    do_fail (world, step, at_ms);
  else if (g_str_equal (what, "setPointer"))
    world->pointer = (guint) json_object_get_int_member (step, "value");
  else
    {
      g_assert_cmpstr (what, ==, "finishTurn");
      do_finish_turn (world, step);
    }
}

static void
assert_health (World *world, const char *name, JsonArray *expected)
{
  static const char *const states[] = { "active", "quarantined", "disabled" };
  const Provider *provider = find_provider (world, name);

  g_assert_nonnull (provider);
  g_assert_cmpstr (states[provider->quarantine.state], ==,
                   json_array_get_string_element (expected, 0));
  g_assert_cmpint (provider->quarantine.until_ms, ==, json_array_get_int_element (expected, 1));
  g_assert_cmpint (provider->quarantine.errors, ==, json_array_get_int_element (expected, 2));
}

static void
assert_strings (GPtrArray *actual, JsonObject *expect, const char *member)
{
  g_auto (GStrv) wanted = NULL;

  if (!json_object_has_member (expect, member))
    return;
  wanted = kb_test_vectors_get_strings (expect, member);
  g_ptr_array_add (actual, NULL);
  g_assert_cmpstrv ((char **) actual->pdata, wanted);
}

static void
assert_delays (World *world, JsonArray *expected)
{
  g_assert_cmpuint (world->delays->len, ==, json_array_get_length (expected));
  for (guint i = 0; i < world->delays->len; i++)
    g_assert_cmpint (g_array_index (world->delays, gint64, i), ==,
                     json_array_get_int_element (expected, i));
}

static void
assert_pointer (World *world, JsonObject *rotation)
{
  g_assert_cmpint (world->has_turned, ==, json_object_get_size (rotation) > 0);
  if (world->has_turned)
    g_assert_cmpuint (world->pointer, ==, json_object_get_int_member (rotation, world->group));
}

static void
run_sequence (JsonObject *in, JsonObject *expect)
{
  JsonArray *steps = json_object_get_array_member (in, "steps");
  World world;

  world_init (&world, in);
  for (guint i = 0; i < json_array_get_length (steps); i++)
    do_step (&world, json_array_get_object_element (steps, i));
  assert_strings (world.out, expect, "out");
  assert_strings (world.events, expect, "events");
  if (json_object_has_member (expect, "delays"))
    assert_delays (&world, json_object_get_array_member (expect, "delays"));
  if (json_object_has_member (expect, "rotation"))
    assert_pointer (&world, json_object_get_object_member (expect, "rotation"));
  if (json_object_has_member (expect, "health"))
    {
      JsonObject *healths = json_object_get_object_member (expect, "health");
      g_autoptr (GList) names = json_object_get_members (healths);

      for (GList *l = names; l != NULL; l = l->next)
        assert_health (&world, l->data, json_object_get_array_member (healths, l->data));
    }
  world_clear (&world);
}

static void
test_vectors (void)
{
  g_assert_cmpuint (kb_test_vectors_run ("route-resilience", "sequence", run_sequence), ==, 18);
}

static void
test_quarantine (void)
{
  static const gint64 expected[] = { 60000, 120000, 240000, 300000, 300000 };
  KbQuarantinePolicy policy = KB_QUARANTINE_POLICY_INIT;
  KbQuarantine quarantine = { 0 };

  for (gsize i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmpint (kb_quarantine_take_rate_limit (&quarantine, &policy, 0, CAP_MS, 100), ==,
                     expected[i]);
  g_assert_cmpint (quarantine.until_ms, ==, 300100);
  g_assert_false (kb_quarantine_is_well (&quarantine, 300099));
  g_assert_true (kb_quarantine_is_well (&quarantine, 300100));
  kb_quarantine_revive (&quarantine);
  g_assert_cmpint (kb_quarantine_take_rate_limit (&quarantine, &policy, 0, CAP_MS, 0), ==, 60000);
  /* Rule 1: what the server asks for is believed up to the cap. */
  g_assert_cmpint (kb_quarantine_take_rate_limit (&quarantine, &policy, 86400000, CAP_MS, 0), ==,
                   CAP_MS);
}

/* Rule 3: a 429 never re-enables a disabled route. */
static void
test_disabled_stays (void)
{
  KbQuarantinePolicy policy = KB_QUARANTINE_POLICY_INIT;
  KbQuarantine quarantine = { 0 };

  kb_quarantine_disable (&quarantine);
  g_assert_cmpint (kb_quarantine_take_rate_limit (&quarantine, &policy, 10, CAP_MS, 0), ==, 0);
  kb_quarantine_revive (&quarantine);
  g_assert_cmpint (quarantine.state, ==, KB_QUARANTINE_DISABLED);
  g_assert_false (kb_quarantine_is_well (&quarantine, G_MAXINT64));
}

static void
test_turns_are_fair (void)
{
  KbQuarantine well[3] = { { 0 } };
  const KbQuarantine *targets[] = { &well[0], &well[1], &well[2] };
  guint counts[3] = { 0 };
  guint pointer = 0;

  for (int i = 0; i < 300; i++)
    {
      KbTurn turn = kb_rotation_take_turn (targets, 3, pointer, 0);

      g_assert_cmpint (turn.kind, ==, KB_TURN_NEXT);
      counts[turn.target]++;
      pointer = turn.pointer;
    }
  for (int i = 0; i < 3; i++)
    g_assert_cmpuint (counts[i], ==, 100);
}

/* Of two that recover at once the first is woken; with all disabled the first is tried. */
static void
test_ties (void)
{
  KbQuarantine health[3] = { { .state = KB_QUARANTINE_WAITING, .until_ms = 900 },
                             { .state = KB_QUARANTINE_WAITING, .until_ms = 500 },
                             { .state = KB_QUARANTINE_WAITING, .until_ms = 500 } };
  const KbQuarantine *targets[] = { &health[0], &health[1], &health[2] };
  KbTurn turn = kb_rotation_take_turn (targets, 3, 2, 100);

  g_assert_cmpuint (turn.target, ==, 1);
  g_assert_cmpuint (turn.pointer, ==, 2);
  g_assert_cmpint (turn.kind, ==, KB_TURN_WOKEN);
  for (int i = 0; i < 3; i++)
    kb_quarantine_disable (&health[i]);
  turn = kb_rotation_take_turn (targets, 3, 2, 100);
  g_assert_cmpuint (turn.target, ==, 0);
  g_assert_cmpint (turn.kind, ==, KB_TURN_FIRST);
}

static void
test_next (void)
{
  KbQuarantine health[3] = { { 0 } };
  const KbQuarantine *targets[] = { &health[0], &health[1], &health[2] };
  guint next = 9;

  g_assert_true (kb_rotation_find_next (targets, 3, 2, 0, &next));
  g_assert_cmpuint (next, ==, 0);
  kb_quarantine_disable (&health[0]);
  g_assert_true (kb_rotation_find_next (targets, 3, 2, 0, &next));
  g_assert_cmpuint (next, ==, 1);
  kb_quarantine_disable (&health[1]);
  g_assert_false (kb_rotation_find_next (targets, 3, 2, 0, &next)); /* never the same again */
  g_assert_cmpuint (next, ==, 1);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/rotation/vectors", test_vectors);
  g_test_add_func ("/core/rotation/quarantine", test_quarantine);
  g_test_add_func ("/core/rotation/disabled-stays", test_disabled_stays);
  g_test_add_func ("/core/rotation/turns-are-fair", test_turns_are_fair);
  g_test_add_func ("/core/rotation/ties", test_ties);
  g_test_add_func ("/core/rotation/next", test_next);
  return g_test_run ();
}
