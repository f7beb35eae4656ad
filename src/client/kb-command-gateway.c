// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* The verbs that ask the gateway: one method of its interface each. */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>

#include "client/kb-duration.h"
#include "client/kb-format-explain.h"
#include "client/kb-format.h"
#include "client/kb-invocation.h"
#include "client/kb-text.h"
#include "ipc/kb-gateway-error.h"
#include "store/kb-paths.h"

#define INTERFACE "io.github.koboshi.Koboshi.Gateway1"

/* Starting a gateway may have to wait for a keyring; a test, for a model to begin. */
#define PATIENCE_MS 30000
#define TEST_PATIENCE_MS 130000

typedef struct
{
  const char *verb;
  const char *method;
  guint least;
  guint most;
  gboolean only_looks; /* it does not start a gateway */
} Verb;

static const Verb verbs[] = {
  { "enable", "Enable", 1, 1 },  { "disable", "Disable", 1, 1 },
  { "retry", "Retry", 1, 1 },    { "pin", "Pin", 1, 2 },
  { "unpin", "Unpin", 0, 0 },    { "pause", "Pause", 0, 1 },
  { "resume", "Resume", 0, 0 },  { "reload", "Reload", 0, 0 },
  { "what-if", "WhatIf", 2, 2 }, { "explain", "GetSnapshot", 1, 1, TRUE },
  { "test", "Test", 1, 1 },
};

/* As long as camel itself pauses where nobody says how long. */
#define PAUSE "10m"

static const Verb *
find_verb (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (verbs); i++)
    if (g_str_equal (verbs[i].verb, name))
      return &verbs[i];
  g_assert_not_reached ();
}

/* What the gateway refused is the person's to change; all else means that there is none. */
static KbExit
complain (KbInvocation *invocation, GError *error)
{
  g_dbus_error_strip_remote_error (error);
  if (error->domain == KB_GATEWAY_ERROR)
    {
      kb_invocation_complain (invocation, "%s", error->message);
      return error->code == KB_GATEWAY_ERROR_FAILED ? KB_EXIT_FAILED : KB_EXIT_REFUSED;
    }
  kb_invocation_complain (invocation, _ ("the gateway cannot be reached or started: %s"),
                          error->message);
  return KB_EXIT_NO_GATEWAY;
}

static GVariant *
call (GDBusConnection *bus,
      const Verb *verb,
      const char *interface,
      const char *method,
      GVariant *parameters,
      GError **error)
{
  GDBusCallFlags flags
      = verb->only_looks ? G_DBUS_CALL_FLAGS_NO_AUTO_START : G_DBUS_CALL_FLAGS_NONE;

  /* The domain has to be known before an error comes. */
  g_assert (KB_GATEWAY_ERROR != 0);
  return g_dbus_connection_call_sync (
      bus, KB_GATEWAY_BUS_NAME, KB_GATEWAY_BUS_PATH, interface, method, parameters, NULL, flags,
      g_str_equal (method, "Test") ? TEST_PATIENCE_MS : PATIENCE_MS, NULL, error);
}

/* The gateway serves one home and profile; a verb for another one must not reach it. */
static KbExit
check_place (KbInvocation *invocation,
             GDBusConnection *bus,
             const Verb *verb,
             const char *home,
             const char *profile)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = call (bus, verb, "org.freedesktop.DBus.Properties", "GetAll",
                                      g_variant_new ("(s)", INTERFACE), &error);
  g_autoptr (GVariant) properties = NULL;
  g_autofree char *asked = NULL;
  const char *served_home = "";
  const char *served_profile = "";

  if (answer == NULL)
    return complain (invocation, error);
  properties = g_variant_get_child_value (answer, 0);
  g_variant_lookup (properties, "Home", "&s", &served_home);
  g_variant_lookup (properties, "Profile", "&s", &served_profile);
  asked = g_canonicalize_filename (home, NULL);
  if (kb_paths_is_same (served_home, asked) && g_str_equal (served_profile, profile))
    return KB_EXIT_DONE;
  kb_invocation_complain (invocation,
                          _ ("the gateway serves the profile “%s” of “%s”, not “%s” of “%s”"),
                          served_profile, served_home, profile, asked);
  return KB_EXIT_REFUSED;
}

/* The end of a pin or a pause: "forever" and nothing are 0. */
static gboolean
read_until (KbInvocation *invocation, const char *text, gint64 *until_ms)
{
  double duration_ms;

  *until_ms = 0;
  if (text == NULL || g_str_equal (text, "forever"))
    return TRUE;
  if (!kb_duration_parse (text, 0, &duration_ms) || !(duration_ms >= 1)
      || duration_ms > (double) G_MAXINT64 / 4)
    {
      kb_invocation_complain (invocation, _ ("“%s” is no duration; write 90s, 10m, 2h or forever"),
                              text);
      return FALSE;
    }
  *until_ms = g_get_real_time () / 1000 + (gint64) duration_ms;
  return TRUE;
}

static gboolean
make_parameters (KbInvocation *invocation, const Verb *verb, GVariant **parameters)
{
  const GStrv arguments = invocation->arguments;
  guint n = g_strv_length (arguments);
  gint64 until_ms;

  if (n < verb->least || n > verb->most)
    {
      kb_invocation_complain (invocation, _ ("usage: koboshictl %s %s"), verb->verb,
                              invocation->command->synopsis);
      return FALSE;
    }
  *parameters = NULL;
  if (g_str_equal (verb->method, "Pin"))
    {
      if (!read_until (invocation, arguments[1], &until_ms))
        return FALSE;
      *parameters = g_variant_new ("(sx)", arguments[0], until_ms);
    }
  else if (g_str_equal (verb->method, "Pause"))
    {
      if (!read_until (invocation, n > 0 ? arguments[0] : PAUSE, &until_ms))
        return FALSE;
      *parameters = g_variant_new ("(x)", until_ms);
    }
  else if (verb->most == 2)
    *parameters = g_variant_new ("(ss)", arguments[0], arguments[1]);
  else if (verb->most == 1 && !verb->only_looks)
    *parameters = g_variant_new ("(s)", arguments[0]);
  return TRUE;
}

static char *
describe_what_if (GVariant *facts)
{
  const char *serving = "";
  const char *state = "";
  gint64 delay_ms = 0;
  g_autofree char *delay = NULL;

  g_variant_lookup (facts, "serving", "&s", &serving);
  g_variant_lookup (facts, "state", "&s", &state);
  g_variant_lookup (facts, "delay", "x", &delay_ms);
  delay = kb_duration_format ((double) delay_ms);
  if (*serving == '\0')
    return g_strdup_printf (_ ("Nobody would serve. The channel would be %s."), state);
  if (delay_ms > 0)
    return g_strdup_printf (_ ("%s would serve after %s. The channel would be %s."), serving, delay,
                            state);
  return g_strdup_printf (_ ("%s would serve at once. The channel would be %s."), serving, state);
}

/* (transfer full) (nullable): JSON, or a paragraph; NULL where there is no such channel */
static char *
explain (KbInvocation *invocation, GVariant *snapshot)
{
  g_autoptr (KbGatewayReport) report = kb_gateway_report_from_variant (snapshot);
  const KbChannelReport *channel
      = kb_gateway_report_find_channel (report, invocation->arguments[0]);
  g_autoptr (GVariant) members = NULL;

  if (channel == NULL)
    {
      kb_invocation_complain (invocation, _ ("the gateway has no channel “%s”"),
                              invocation->arguments[0]);
      return NULL;
    }
  if (!invocation->globals.json)
    return kb_format_explain (report, channel);
  members = g_variant_ref_sink (kb_channel_report_to_variant (channel));
  return json_gvariant_serialize_data (members, NULL);
}

static char *
describe_test (const char *channel, GVariant *facts)
{
  gboolean ok = FALSE;
  gint64 took_ms = 0;
  const char *code = NULL;
  g_autofree char *took = NULL;
  g_autofree char *failure = NULL;

  g_variant_lookup (facts, "ok", "b", &ok);
  g_variant_lookup (facts, "took", "x", &took_ms);
  g_variant_lookup (facts, "code", "&s", &code);
  took = kb_format_latency (took_ms);
  failure = kb_format_failure (code);
  if (ok)
    /* Translators: a channel and a duration */
    return g_strdup_printf (_ ("%1$s answered after %2$s."), channel, took);
  /* Translators: a channel, what happened, as in "Rate limited", and a duration */
  return g_strdup_printf (_ ("%1$s failed after %3$s: %2$s."), channel, failure, took);
}

static gboolean
is_about_facts (const Verb *verb)
{
  return g_str_equal (verb->method, "WhatIf") || g_str_equal (verb->method, "Test");
}

static gboolean
print_answer (KbInvocation *invocation, const Verb *verb, GVariant *answer)
{
  g_autoptr (GVariant) facts = NULL;
  g_autofree char *text = NULL;
  g_autofree char *printable = NULL;

  if (!is_about_facts (verb) && !verb->only_looks)
    return invocation->globals.quiet || invocation->globals.json
           || kb_invocation_print_line (invocation, _ ("Done."));
  facts = g_variant_get_child_value (answer, 0);
  if (verb->only_looks)
    text = explain (invocation, facts);
  else if (invocation->globals.json)
    text = json_gvariant_serialize_data (facts, NULL);
  else if (g_str_equal (verb->method, "Test"))
    text = describe_test (invocation->arguments[0], facts);
  else
    text = describe_what_if (facts);
  if (text == NULL)
    return FALSE;
  printable = kb_text_make_printable (text);
  return kb_invocation_print_line (invocation, printable);
}

/* Before it is sent: it is a person's money. */
static void
warn_of_bill (KbInvocation *invocation, const Verb *verb)
{
  if (g_str_equal (verb->method, "Test") && !invocation->globals.quiet && !invocation->globals.json)
    kb_invocation_print_line (invocation,
                              _ ("Sending one tiny real request; the provider may bill it."));
}

/* A channel that did not pass its test is a failure, as scripts see it. */
static gboolean
has_passed (const Verb *verb, GVariant *answer)
{
  g_autoptr (GVariant) facts = NULL;
  gboolean ok = TRUE;

  if (!g_str_equal (verb->method, "Test"))
    return TRUE;
  facts = g_variant_get_child_value (answer, 0);
  g_variant_lookup (facts, "ok", "b", &ok);
  return ok;
}

/**
 * kb_command_gateway:
 * @invocation: a verb of the gateway
 *
 * Asks the gateway of the session to do it, and starts one if there is none.
 *
 * Returns: the exit status: %KB_EXIT_NO_GATEWAY if none can be reached or started,
 *   %KB_EXIT_REFUSED if it serves another home
 */
KbExit
kb_command_gateway (KbInvocation *invocation)
{
  const Verb *verb;
  g_autofree char *home = NULL;
  g_autofree char *profile = NULL;
  g_autoptr (GDBusConnection) bus = NULL;
  g_autoptr (GVariant) parameters = NULL;
  g_autoptr (GVariant) answer = NULL;
  g_autoptr (GError) error = NULL;
  KbExit result;

  g_return_val_if_fail (invocation != NULL, KB_EXIT_FAILED);

  verb = find_verb (invocation->command->name);
  if (!make_parameters (invocation, verb, &parameters))
    return KB_EXIT_USAGE;
  if (parameters != NULL)
    g_variant_ref_sink (parameters);
  result = kb_invocation_open_home (invocation, &home, &profile);
  if (result != KB_EXIT_DONE)
    return result;
  bus = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, &error);
  if (bus == NULL)
    return complain (invocation, error);
  result = check_place (invocation, bus, verb, home, profile);
  if (result != KB_EXIT_DONE)
    return result;
  warn_of_bill (invocation, verb);
  answer = call (bus, verb, INTERFACE, verb->method, parameters, &error);
  if (answer == NULL)
    return complain (invocation, error);
  if (print_answer (invocation, verb, answer))
    return has_passed (verb, answer) ? KB_EXIT_DONE : KB_EXIT_FAILED;
  return verb->only_looks ? KB_EXIT_REFUSED : KB_EXIT_FAILED;
}
