// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "../store/home.h"
#include "gateway/kb-gateway.h"

/* A home with three providers, and a gateway that serves it. */

#define BOOT 1000000
#define WALL G_GINT64_CONSTANT (1789096234101)
#define CANARY "sk-canary-0123456789abcdef"

typedef struct
{
  Home home;
  char *state_dir;
  KbManualTime time;
} World;

static inline void
world_set_up (World *world, gconstpointer data)
{
  home_set_up (&world->home, NULL);
  world->state_dir = home_path (&world->home, "state");
  world->time = (KbManualTime) { .boot_ms = BOOT, .wall_ms = WALL };
  home_write (&world->home, "settings.yaml",
              "llm-pi-ai:\n  providers:\n"
              "    one: {api: openai-completions, baseURL: 'http://127.0.0.1:9/v1',\n"
              "      apiKeyEnv: KB_TEST_ONE, models: [{id: a}],\n"
              "      retryPolicy: {mode: normal, maxRetries: 0}}\n"
              "    two: {api: openai-completions, baseURL: 'http://u:pw@127.0.0.1:9/v1',\n"
              "      models: [{id: b}]}\n"
              "    three: {api: anthropic-messages, baseURL: 'http://127.0.0.1:9',\n"
              "      apiKeyEnv: KB_TEST_THREE, models: [{id: c}]}\n");
  home_write (&world->home, "profiles/web/cordis.patch.yml",
              "- id: dsh-daruma\n  config:\n    channels:\n"
              "      - {provider: one, model: a}\n      - {provider: two, model: b}\n");
}

static inline void
world_tear_down (World *world, gconstpointer data)
{
  home_tear_down (&world->home, NULL);
  g_free (world->state_dir);
}

static inline void
reloaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_set_object ((GAsyncResult **) user_data, result);
}

static inline gboolean
reload (KbGateway *gateway, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  kb_gateway_reload_async (gateway, reloaded_cb, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return kb_gateway_reload_finish (result, error);
}

static inline KbGateway *
make_gateway (World *world)
{
  const KbGatewayPlace place = { .home = world->home.dir,
                                 .profile = "web",
                                 .clock = kb_gateway_clock_manual (&world->time) };
  g_autoptr (GError) error = NULL;
  KbGateway *gateway = kb_gateway_new (&place);

  g_assert_true (kb_gateway_open_state (gateway, world->state_dir, &error));
  g_assert_no_error (error);
  g_assert_true (reload (gateway, &error));
  g_assert_no_error (error);
  return gateway;
}

/* Keys come from the environment, and no bus is asked. */
static inline void
world_prepare (void)
{
  g_setenv ("KB_TEST_ONE", CANARY, TRUE);
  g_unsetenv ("KB_TEST_THREE");
  g_unsetenv ("DEEPSEEK_API_KEY");
  g_setenv ("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus", TRUE);
}
