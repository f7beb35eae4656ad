// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "client/kb-drill.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "client/kb-child.h"
#include "client/kb-drill-call.h"
#include "client/kb-scratch.h"
#include "store/kb-json.h"

#define PREFIX "koboshi-drill-"
#define PATIENCE_MS 60000

/* Its end is told to the main loop, which may come to it when the drill is gone. */
typedef struct
{
  KbDrill *drill; /* (nullable) */
  KbDrillLane lane;
  char *folder;          /* owned */
  GThread *thread;       /* owned */
  KbDrillResult *result; /* owned, nullable */
  GError *error;         /* owned, nullable */
} Player;

struct _KbDrill
{
  KbDrillOptions options;
  GStrv set;          /* owned, nullable: what the options point to */
  char *folder;       /* owned */
  KbChild *simulator; /* owned */
  guint16 port;
  char *expected;     /* owned */
  GPtrArray *players; /* owned: Player */
  GCancellable *cancellable;
  KbDrillFunc func;
  gpointer user_data;
};

static void
player_clear (gpointer data)
{
  Player *player = data;

  kb_drill_result_free (player->result);
  g_clear_error (&player->error);
  g_free (player->folder);
}

static void
player_unref (gpointer data)
{
  g_atomic_rc_box_release_full (data, player_clear);
}

/* Waits until its programs are gone. */
static void
player_leave (gpointer data)
{
  Player *player = data;

  player->drill = NULL;
  g_clear_pointer (&player->thread, g_thread_join);
  player_unref (player);
}

/* ---- the simulator ---- */

static JsonObject *
parse_object (const char *text, gsize length, JsonNode **node)
{
  *node = kb_json_parse (text, length);
  return *node != NULL && JSON_NODE_HOLDS_OBJECT (*node) ? json_node_get_object (*node) : NULL;
}

static gboolean
read_port (KbDrill *self, const char *line)
{
  g_autoptr (JsonNode) node = NULL;
  JsonObject *object = line != NULL ? parse_object (line, strlen (line), &node) : NULL;

  if (object != NULL)
    self->port = (guint16) json_object_get_int_member_with_default (object, "port", 0);
  return self->port != 0;
}

static gboolean
fetch_text (KbDrill *self)
{
  const KbDrillRequest request = { self->port, "/_text", NULL, PATIENCE_MS };
  g_auto (KbDrillAnswer) answer = { 0 };
  g_autoptr (JsonNode) node = NULL;
  JsonObject *object;

  kb_drill_call (&request, NULL, &answer);
  object = parse_object (answer.body->str, answer.body->len, &node);
  if (object != NULL)
    self->expected = g_strdup (json_object_get_string_member_with_default (object, "text", NULL));
  return self->expected != NULL;
}

static gboolean
start_simulator (KbDrill *self, GError **error)
{
  char scale[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *scale_option = NULL;
  g_autofree char *log_file = g_build_filename (self->folder, "simulator.log", NULL);
  g_autofree char *line = NULL;

  g_ascii_dtostr (scale, sizeof scale, self->options.scale);
  scale_option = g_strconcat ("--scale=", scale, NULL);
  self->simulator = kb_child_new (
      "koboshi-simulator", (const char *const[]) { "--port=0", "--quiet", scale_option, NULL },
      log_file, error);
  if (self->simulator == NULL)
    return FALSE;
  line = kb_child_read_line (self->simulator, PATIENCE_MS, NULL);
  if (read_port (self, line) && fetch_text (self))
    return TRUE;
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, _ ("the simulator did not start"));
  return FALSE;
}

/**
 * kb_drill_new:
 * @options: dialect, scale and settings; copied
 * @error: of %G_OPTION_ERROR where a setting is wrong; else why no drill can be held
 *
 * Checks what is asked for and starts the simulator. It blocks for that long.
 *
 * Returns: (transfer full) (nullable): a drill that has not begun
 */
KbDrill *
kb_drill_new (const KbDrillOptions *options, GError **error)
{
  g_autoptr (KbDrill) self = NULL;

  g_return_val_if_fail (options != NULL, NULL);

  self = g_new0 (KbDrill, 1);
  self->players = g_ptr_array_new_with_free_func (player_leave);
  self->cancellable = g_cancellable_new ();
  self->options = *options;
  self->set = g_strdupv ((char **) options->set);
  self->options.set = (const char *const *) self->set;
  self->folder = kb_scratch_make (PREFIX, error);
  if (self->folder == NULL || !kb_drill_home_check (self->folder, &self->options, error)
      || !start_simulator (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

/**
 * kb_drill_free:
 * @self: (transfer full) (nullable): a drill
 *
 * Breaks it off where it is not over, ends every program of it and removes its files.
 */
void
kb_drill_free (KbDrill *self)
{
  if (self == NULL)
    return;
  g_cancellable_cancel (self->cancellable);
  g_ptr_array_unref (self->players);
  g_clear_pointer (&self->simulator, kb_child_free);
  if (self->folder != NULL)
    kb_scratch_remove (self->folder, PREFIX);
  g_object_unref (self->cancellable);
  g_strfreev (self->set);
  g_free (self->folder);
  g_free (self->expected);
  g_free (self);
}

/* ---- the scenarios ---- */

static gboolean
player_ended_cb (gpointer user_data)
{
  Player *player = user_data;
  KbDrill *drill = player->drill;

  if (drill != NULL)
    drill->func (player->result, player->error, drill->user_data);
  return G_SOURCE_REMOVE;
}

static gpointer
player_thread (gpointer user_data)
{
  Player *player = user_data;
  g_autoptr (GSource) source = g_idle_source_new ();

  player->result = kb_drill_lane_run (&player->lane, &player->error);
  g_source_set_static_name (source, "[koboshi] drill");
  g_source_set_callback (source, player_ended_cb, g_atomic_rc_box_acquire (player), player_unref);
  g_source_attach (source, NULL);
  return NULL;
}

static void
add_player (KbDrill *self, const KbDrillScenario *scenario)
{
  Player *player = g_atomic_rc_box_new0 (Player);

  player->drill = self;
  player->folder = g_build_filename (self->folder, scenario->id, NULL);
  player->lane = (KbDrillLane) {
    .scenario = scenario,
    .options = &self->options,
    .folder = player->folder,
    .expected = self->expected,
    .simulator_port = self->port,
    .cancellable = self->cancellable,
  };
  g_ptr_array_add (self->players, player);
  player->thread = g_thread_new ("drill", player_thread, player);
}

/**
 * kb_drill_start:
 * @self: a drill that has not begun
 * @func: called from the main loop when a scenario is over, once for each
 * @user_data: for @func
 *
 * Begins all scenarios.
 */
void
kb_drill_start (KbDrill *self, KbDrillFunc func, gpointer user_data)
{
  gsize n;
  const KbDrillScenario *scenarios = kb_drill_scenarios (&n);

  g_return_if_fail (self != NULL && func != NULL);
  g_return_if_fail (self->players->len == 0);

  self->func = func;
  self->user_data = user_data;
  for (gsize i = 0; i < n; i++)
    add_player (self, &scenarios[i]);
}
