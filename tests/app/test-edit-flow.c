// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

/* What comes between a change and its file: other writers, expressions, the linter. */

#include "app/edit-fixture.h"

/* Somebody else changes another value while the review is open: both changes are kept. */
static void
test_merge (EditFixture *fixture, gconstpointer data)
{
  act (fixture, "lumen::orca-mini", "channel.move-up");
  await_review (fixture);
  kb_showcase_write_patch (fixture->showcase, "# theirs\n" HEAD ORCA MINI HERON);
  answer_review (fixture, "review.save");
  await_patch (fixture, "# theirs\n" HEAD MINI ORCA HERON);
}

/* The same list: a person chooses; what else became of it stays either way. */
static void
test_conflict (EditFixture *fixture, gconstpointer data)
{
  gboolean mine = GPOINTER_TO_INT (data);

  act (fixture, "lumen::orca-mini", "channel.move-up");
  await_review (fixture);
  kb_showcase_write_patch (fixture->showcase, HEAD ORCA HERON MINI TAIL);
  answer_review (fixture, "review.save");
  wait_for (has_question, fixture);
  assert_patch (fixture, HEAD ORCA HERON MINI TAIL);
  answer_question (fixture, mine ? "Use _Mine" : "Keep _Theirs");
  if (!mine)
    {
      wait_for (is_idle, fixture);
      assert_patch (fixture, HEAD ORCA HERON MINI TAIL);
      return;
    }
  answer_review (fixture, "review.save");
  await_patch (fixture, HEAD MINI ORCA HERON TAIL);
}

static void
save_value (EditFixture *fixture, const char *path, const char *yaml)
{
  g_autoptr (KbChanges) changes = kb_changes_new ("Changed a value", NULL);

  kb_changes_set_text (changes, path, yaml);
  kb_edit_flow_save_async (fixture->window->flow, GTK_WIDGET (fixture->window->channels), changes,
                           NULL, NULL);
}

static void
test_expression (EditFixture *fixture, gconstpointer data)
{
  kb_showcase_write_patch (fixture->showcase, HEAD ORCA "    failureBudget: !!js 1 + 2\n");
  save_value (fixture, "dsh-daruma.failureBudget", "5");
  answer_question (fixture, "_Cancel");
  wait_for (is_idle, fixture);
  assert_patch (fixture, HEAD ORCA "    failureBudget: !!js 1 + 2\n");
  save_value (fixture, "dsh-daruma.failureBudget", "5");
  answer_question (fixture, "_Replace");
  answer_review (fixture, "review.save");
  await_patch (fixture, HEAD ORCA "    failureBudget: 5\n");
}

static void
test_rejected (EditFixture *fixture, gconstpointer data)
{
  AdwAlertDialog *dialog;

  save_value (fixture, "dsh-daruma.cooldownMs", "soon");
  wait_for (has_question, fixture);
  dialog = ADW_ALERT_DIALOG (get_dialog (fixture));
  g_assert_cmpstr (adw_alert_dialog_get_heading (dialog), ==, "This Would Not Work");
  g_assert_nonnull (strstr (adw_alert_dialog_get_body (dialog), "cordis.patch.yml:"));
  g_assert_true (is_idle (fixture));
  answer_question (fixture, "_Close");
  assert_patch (fixture, HEAD ORCA MINI HERON TAIL);
}

/* A window may be closed over a question: window_tear_down() finds that nothing stays behind. */
static void
test_closed (EditFixture *fixture, gconstpointer data)
{
  act (fixture, "lumen::orca-mini", "channel.move-up");
  act (fixture, "nimbus::heron-7b", "channel.move-up");
  await_review (fixture);
}

#define ADD(path, function)                                                                        \
  g_test_add (path, EditFixture, NULL, edit_set_up, function, window_tear_down)

int
main (int argc, char *argv[])
{
  test_init (&argc, &argv);

  ADD ("/app/edit-flow/merge", test_merge);
  g_test_add ("/app/edit-flow/conflict/theirs", EditFixture, GINT_TO_POINTER (FALSE), edit_set_up,
              test_conflict, window_tear_down);
  g_test_add ("/app/edit-flow/conflict/mine", EditFixture, GINT_TO_POINTER (TRUE), edit_set_up,
              test_conflict, window_tear_down);
  ADD ("/app/edit-flow/expression", test_expression);
  ADD ("/app/edit-flow/rejected", test_rejected);
  ADD ("/app/edit-flow/closed", test_closed);
  return g_test_run ();
}
