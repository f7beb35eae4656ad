// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "home.h"
#include "store/kb-lint.h"
#include "store/kb-nearest.h"

#define PATCH "profiles/web/cordis.patch.yml"
#define ROW "- id: dsh-daruma\n  config:\n"

typedef struct
{
  const char *name;
  const char *file;
  const char *text;
  const char *problems;
} Case;

static const Case cases[] = {
  /* The file as a whole. */
  { "fine/list", PATCH, "[]\n", "" },
  { "fine/comments", PATCH, "# a\n[] # b\n", "" },
  { "fine/override", PATCH, ROW "    channels: [{ provider: a, model: b }]\n", "" },
  { "fine/bom-crlf", PATCH, "\xef\xbb\xbf- id: dsh-daruma\r\n  disabled: true\r\n", "" },
  { "fine/settings", "settings.yaml", "daruma:\n  backup: { provider: a, model: b }\n", "" },
  { "fine/empty-settings", "settings.yaml", "", "" },
  { "fine/comment-settings", "settings.yaml", "# nothing\n", "" },
  { "fine/null-settings", "settings.yaml", "---\n", "" },
  { "empty/nothing", PATCH, "", "error empty-patch cordis.patch.yml:0:0" },
  { "empty/comments", PATCH, "# a\n", "error empty-patch cordis.patch.yml:0:0" },
  { "empty/document", PATCH, "---\n", "error empty-patch cordis.patch.yml:0:0" },
  { "root/mapping", PATCH, "# c\nid: dsh-daruma\n", "error not-a-list cordis.patch.yml:2:1" },
  { "root/scalar", PATCH, "null\n", "error not-a-list cordis.patch.yml:1:1" },
  { "root/settings-list", "settings.yaml", "\n- a: 1\n", "error not-a-mapping settings.yaml:2:1" },
  { "root/settings-text", "settings.yaml", "hello\n", "error not-a-mapping settings.yaml:1:1" },
  { "syntax/bracket", PATCH, "- id: a\n- [\n", "error yaml-syntax cordis.patch.yml:3:1" },
  { "syntax/appended", PATCH, "[]\n- id: a\n", "error yaml-syntax cordis.patch.yml:2:1" },
  { "syntax/tab", PATCH, "- id: a\n\tconfig: 1\n", "error yaml-syntax cordis.patch.yml:2:2" },
  { "syntax/tab-after-dash", PATCH, "-\tid: a\n", "error yaml-syntax cordis.patch.yml:1:3" },
  { "syntax/indent", PATCH, "- id: a\n  config:\n  b\n", "error yaml-syntax cordis.patch.yml:3:3" },
  /* Keys with something before them: a real host reads all of these. */
  { "fine/explicit-keys", PATCH, "- ? id\n  : a\n  ? config\n  : { x: 1,\n y: 2 }\n", "" },
  { "fine/explicit-keys-alone", PATCH, "-\n  ? &a 'id'\n  : &b a\n  ? config\n  : x:\n    - y\n",
    "" },
  { "fine/anchored-key", PATCH, "- &x id:\n    a\n  config: 1\n", "" },
  { "fine/tagged-key", PATCH, "- !!str id:\n    a\n  &k config:\n    &v\n    x: 1\n", "" },
  { "syntax/explicit-key", PATCH, "- ? id\n  :\n  a\n", "error yaml-syntax cordis.patch.yml:3:3" },
  { "syntax/anchored-key", PATCH, "- &x id:\n  a\n", "error yaml-syntax cordis.patch.yml:2:3" },
  { "syntax/no-key", PATCH, "- : a\n",
    "warning missing-id cordis.patch.yml:1:3\n"
    "error yaml-syntax cordis.patch.yml:1:3" },
  { "documents", PATCH, "- id: a\n---\n- id: b\n",
    "error multiple-documents cordis.patch.yml:2:1" },
  { "encoding/latin1", PATCH, "- id: a # \xe9\n", "warning encoding cordis.patch.yml:1:11" },
  { "encoding/latin1-settings", "settings.yaml", "# \xc4\xe3\na: 1\n",
    "warning encoding settings.yaml:1:3" },
  { "encoding/latin1-broken", PATCH, "- id: [ # \xe9\n", "error encoding cordis.patch.yml:1:11" },
  { "encoding/marked-otherwise", PATCH, "\xff\xfe- id: a\n  config:\n    x: 1\n",
    "error encoding cordis.patch.yml:1:1" },
  { "encoding/control", PATCH, "- id: a\n# \x01\n", "error encoding cordis.patch.yml:2:3" },
  { "encoding/control-in-settings", "settings.yaml", "a: \"\x01\"\n", "" },
  { "deep", PATCH, "@DEEP@", "error too-deep cordis.patch.yml:1:257" },
  { "duplicate-key/row", PATCH, "- id: a\n  config: 1\n  'config': 2\n",
    "error duplicate-key cordis.patch.yml:3:3" },
  { "duplicate-key/flow", PATCH, "- { id: a, config: { x: 1, x: 2 } }\n",
    "error duplicate-key cordis.patch.yml:1:28" },
  { "duplicate-key/settings", "settings.yaml", "a: 1\nb: 2\na: 3\n",
    "error duplicate-key settings.yaml:3:1" },
  { "alias", PATCH, "- id: a\n  config: *x\n", "error unknown-alias cordis.patch.yml:2:11" },
  { "tag/env", PATCH, "- id: a\n  config: !!env X\n", "error unknown-tag cordis.patch.yml:2:17" },
  { "tag/local", PATCH, "- id: a\n  config: [!env X]\n",
    "error unknown-tag cordis.patch.yml:2:17" },
  { "tag/js-mapping", PATCH, "- id: a\n  config: !!js { x: 1 }\n",
    "error unknown-tag cordis.patch.yml:2:16" },
  { "tag/standard", PATCH, "- id: !!str a\n  config: !!map { x: !!int 1, y: !!js z }\n", "" },
  { "tag/settings", "settings.yaml", "a: !!js x\n", "warning unknown-tag settings.yaml:1:9" },
  { "tag/misfit/int", PATCH, "- id: a\n  config: { x: !!int 5 }\n", "" },
  { "tag/misfit/int-quoted", PATCH, "- id: a\n  config: { x: !!int \"5\" }\n", "" },
  { "tag/misfit/int-hex", PATCH, "- id: a\n  config: { x: !!int 0x1f }\n", "" },
  { "tag/misfit/float-of-int", PATCH, "- id: a\n  config: { x: !!float 1 }\n", "" },
  { "tag/misfit/bool", PATCH, "- id: a\n  config: { x: !!bool True }\n", "" },
  { "tag/misfit/null", PATCH, "- id: a\n  config: { x: !!null ~ }\n", "" },
  { "tag/misfit/str", PATCH, "- id: a\n  config: { x: !!str 5 }\n", "" },
  { "tag/misfit/seq", PATCH, "- id: a\n  config: { x: !!seq [a] }\n", "" },
  { "tag/misfit/map", PATCH, "- id: a\n  config: { x: !!map {a: 1} }\n", "" },
  { "tag/misfit/none", PATCH, "- id: a\n  config: { x: ! [a] }\n", "" },
  { "tag/misfit/int-word", PATCH, "- id: a\n  config: { x: !!int abc }\n",
    "error tag-mismatch cordis.patch.yml:2:22" },
  { "tag/misfit/int-half", PATCH, "- id: a\n  config: { x: !!int 1.5 }\n",
    "error tag-mismatch cordis.patch.yml:2:22" },
  { "tag/misfit/int-empty", PATCH, "- id: a\n  config: { x: !!int \"\" }\n",
    "error tag-mismatch cordis.patch.yml:2:22" },
  { "tag/misfit/float-word", PATCH, "- id: a\n  config: { x: !!float abc }\n",
    "error tag-mismatch cordis.patch.yml:2:24" },
  { "tag/misfit/bool-yes", PATCH, "- id: a\n  config: { x: !!bool yes }\n",
    "error tag-mismatch cordis.patch.yml:2:23" },
  { "tag/misfit/null-word", PATCH, "- id: a\n  config: { x: !!null x }\n",
    "error tag-mismatch cordis.patch.yml:2:23" },
  { "tag/misfit/null-quoted", PATCH, "- id: a\n  config: { x: !!null \"\" }\n",
    "error tag-mismatch cordis.patch.yml:2:23" },
  { "tag/misfit/str-list", PATCH, "- id: a\n  config: { x: !!str [a] }\n",
    "error tag-mismatch cordis.patch.yml:2:22" },
  { "tag/misfit/map-list", PATCH, "- id: a\n  config: { x: !!map [a] }\n",
    "error tag-mismatch cordis.patch.yml:2:22" },
  { "tag/misfit/seq-map", PATCH, "- id: a\n  config: { x: !!seq {a: 1} }\n",
    "error tag-mismatch cordis.patch.yml:2:22" },
  { "tag/misfit/int-list", PATCH, "- id: a\n  config: { x: !!int [1] }\n",
    "error tag-mismatch cordis.patch.yml:2:22" },
  { "tag/misfit/settings", "settings.yaml", "a: !!int abc\n",
    "warning tag-mismatch settings.yaml:1:10" },
  { "empty-item/dashes", PATCH, "- id: a\n  config:\n  - - x\n    -\n  - y\n",
    "error empty-item cordis.patch.yml:4:6" },
  { "empty-item/under-key", PATCH, "- id: a\n  config:\n    -\n- id: b\n",
    "error empty-item cordis.patch.yml:3:6" },
  { "empty-item/behind-comment", PATCH, "- id: a\n  config:\n    - x\n    - # c\n\n# d\n- id: b\n",
    "error empty-item cordis.patch.yml:4:6" },
  { "empty-item/null", PATCH, "- id: a\n  config:\n    - null\n- id: b\n", "" },
  { "empty-item/last", PATCH, "- id: a\n  config:\n    - x\n    -\n", "" },
  { "empty-item/settings", "settings.yaml", "a:\n  - - x\n    -\n  - y\n", "" },

  /* Entries. */
  { "entry/text", PATCH, "- id: a\n- b\n", "error entry-not-mapping cordis.patch.yml:2:3" },
  { "entry/empty", PATCH, "- id: a\n-\n", "error entry-not-mapping cordis.patch.yml:2:2" },
  { "entry/list", PATCH, "- - id: a\n", "error entry-not-mapping cordis.patch.yml:1:3" },
  { "entry/no-id", PATCH, "- config: {}\n", "warning missing-id cordis.patch.yml:1:3" },
  { "entry/number-id", PATCH, "- id: 5\n", "warning missing-id cordis.patch.yml:1:7" },
  { "entry/bare", PATCH, "- name: dsh-x\n  config: {}\n",
    "warning bare-list cordis.patch.yml:1:3" },
  { "entry/bare-with-id", PATCH, "- id: llm-pool\n  name: dsh-llm-pool\n",
    "warning bare-list cordis.patch.yml:1:3" },
  { "entry/bare-stranger", PATCH, "- id: x\n  name: './x.js'\n",
    "warning bare-list cordis.patch.yml:1:3" },
  { "entry/host-row", PATCH, "- id: x\n  name: '@deepseek-ai/dsh-x'\n", "" },
  { "entry/unknown-row", PATCH, "- id: camel\n  config: {}\n",
    "warning unknown-row cordis.patch.yml:1:3" },
  { "entry/inserted-row", PATCH,
    "- insert:\n    - id: camel\n      name: dsh-camel\n"
    "- id: camel\n  config: {}\n",
    "" },
  { "entry/slip", PATCH, "- id: a\n  confg: {}\n", "warning unknown-key cordis.patch.yml:2:3" },
  { "entry/misplaced", PATCH, "- id: dsh-daruma\n  channels: []\n",
    "warning unknown-key cordis.patch.yml:2:3" },
  { "entry/name", PATCH, "- id: dsh-daruma\n  name: daruma\n",
    "warning name-mismatch cordis.patch.yml:1:3" },
  { "insert/text", PATCH, "- insert: a\n", "error bad-type cordis.patch.yml:1:11" },
  { "insert/item", PATCH, "- insert: [a]\n", "error entry-not-mapping cordis.patch.yml:1:12" },
  { "insert/no-name", PATCH, "- insert:\n  - id: a\n", "error missing-name cordis.patch.yml:2:5" },
  { "insert/no-id", PATCH, "- insert:\n  - name: a\n", "warning missing-id cordis.patch.yml:2:5" },
  { "insert/beside", PATCH, "- id: g\n  insert: []\n  disabled: true\n",
    "warning unknown-key cordis.patch.yml:3:3" },
  { "id/inserted-twice", PATCH, "- insert: [{ id: a, name: b }]\n- insert: [{ id: a, name: c }]\n",
    "error duplicate-id cordis.patch.yml:2:12" },
  { "id/bundled", PATCH, "- insert: [{ id: dsh-daruma, name: dsh-daruma }]\n",
    "error duplicate-id cordis.patch.yml:1:12" },
  { "id/changed-twice", PATCH, "- id: a\n  config: 1\n- id: a\n  config: 2\n",
    "warning duplicate-id cordis.patch.yml:3:3" },
  { "id/different-fields", PATCH, "- id: a\n  config: 1\n- id: a\n  disabled: true\n", "" },

  /* The row of daruma. */
  { "number/zero", PATCH, ROW "    failureBudget: 0\n", "error bad-number cordis.patch.yml:3:20" },
  { "number/fraction", PATCH, ROW "    cooldownMs: 1.5\n",
    "error bad-number cordis.patch.yml:3:17" },
  { "number/text", PATCH, ROW "    giveUpBudget: \"8\"\n",
    "error bad-number cordis.patch.yml:3:19" },
  { "number/negative", PATCH, ROW "    failureBudget: -3\n",
    "error bad-number cordis.patch.yml:3:20" },
  { "number/unsafe", PATCH, ROW "    cooldownMs: 9007199254740992\n",
    "error bad-number cordis.patch.yml:3:17" },
  { "number/infinite", PATCH, ROW "    cooldownMs: .inf\n",
    "error bad-number cordis.patch.yml:3:17" },
  { "number/empty", PATCH, ROW "    cooldownMs:\n", "error bad-number cordis.patch.yml:3:16" },
  { "number/underscore", PATCH, ROW "    cooldownMs: 30_000\n",
    "error bad-number cordis.patch.yml:3:17" },
  { "number/whole", PATCH, ROW "    cooldownMs: 3e4\n    failureBudget: 0x3\n", "" },
  { "number/expression", PATCH, ROW "    cooldownMs: !!js 1\n",
    "info expression cordis.patch.yml:3:22" },
  { "flag/yes", PATCH, ROW "    tripOnRetryExhausted: yes\n",
    "error bad-type cordis.patch.yml:3:27" },
  { "path/blank", PATCH, ROW "    stateFile: '  '\n", "error bad-path cordis.patch.yml:3:16" },
  { "path/number", PATCH, ROW "    logFile: 5\n", "error bad-path cordis.patch.yml:3:14" },
  { "path/relative", PATCH, ROW "    stateFile: a/b.json\n",
    "warning bad-path cordis.patch.yml:3:16" },
  { "path/tilde", PATCH, ROW "    stateFile: ~/b.json\n",
    "warning bad-path cordis.patch.yml:3:16" },
  { "path/null", PATCH, ROW "    stateFile: ~\n", "error bad-path cordis.patch.yml:3:16" },
  { "path/expression", PATCH, ROW "    logFile: !!js process.env.X\n",
    "info expression cordis.patch.yml:3:19" },
  { "channels/text", PATCH, ROW "    channels: x\n", "error bad-type cordis.patch.yml:3:15" },
  { "channels/empty", PATCH, ROW "    channels:\n", "error bad-type cordis.patch.yml:3:14" },
  { "channels/mapping", PATCH, ROW "    channels: { provider: a, model: b }\n",
    "error bad-type cordis.patch.yml:3:15" },
  { "channels/string", PATCH, ROW "    channels: [a::b]\n",
    "error bad-channel cordis.patch.yml:3:16" },
  { "channels/no-model", PATCH, ROW "    channels: [{ provider: a }]\n",
    "error bad-channel cordis.patch.yml:3:16" },
  { "channels/blank", PATCH, ROW "    channels: [{ provider: ' ', model: b }]\n",
    "error bad-channel cordis.patch.yml:3:28" },
  { "channels/number", PATCH, ROW "    channels: [{ provider: a, model: 4 }]\n",
    "error bad-channel cordis.patch.yml:3:38" },
  { "channels/slip", PATCH, ROW "    channels: [{ provider: a, modle: b }]\n",
    "error bad-channel cordis.patch.yml:3:16\nwarning unknown-key cordis.patch.yml:3:31" },
  { "channels/expression", PATCH, ROW "    channels: [{ provider: a, model: !!js m }]\n",
    "info expression cordis.patch.yml:3:43" },
  { "channels/cjk-column", PATCH, ROW "    channels: [{ provider: 中文, model: [] }]\n",
    "error bad-channel cordis.patch.yml:3:39" },
  { "channels/duplicate", PATCH,
    ROW "    channels:\n      - { provider: a, model: b }\n      - { model: b, provider: a }\n",
    "error duplicate-channel cordis.patch.yml:5:9" },
  { "channels/same-id", PATCH,
    ROW "    channels: [{ provider: 'a::b', model: c }, { provider: a, model: 'b::c' }]\n",
    "error duplicate-channel cordis.patch.yml:3:48" },
  { "config/list", PATCH, "- id: dsh-daruma\n  config: []\n",
    "error bad-type cordis.patch.yml:2:11" },
  { "config/empty", PATCH, "- id: dsh-daruma\n  config:\n",
    "error bad-type cordis.patch.yml:2:10" },
  { "config/expression", PATCH, "- id: dsh-daruma\n  config: !!js f()\n",
    "info expression cordis.patch.yml:2:16" },
  { "config/unknown", PATCH, ROW "    failoverBudget: 3\n",
    "warning unknown-key cordis.patch.yml:3:5" },
  { "disabled/yes", PATCH, "- id: dsh-daruma\n  disabled: yes\n",
    "warning bad-type cordis.patch.yml:2:13" },
  { "disabled/expression", PATCH, "- id: dsh-daruma\n  disabled: !!js x\n",
    "info expression cordis.patch.yml:2:18" },
  { "inserted/config", "p.patch.yml",
    "- insert:\n  - id: dsh-daruma\n    name: dsh-daruma\n    config: { cooldownMs: x }\n",
    "error bad-number p.patch.yml:4:27" },
  { "backup/null", "settings.yaml", "daruma:\n  backup: # { provider: a, model: b }\n", "" },
  { "backup/null-name", "settings.yaml", "daruma: { backup: { provider: , model: b } }\n", "" },
  { "backup/text", "settings.yaml", "daruma:\n  backup: a::b\n",
    "error bad-type settings.yaml:2:11" },
  { "backup/number", "settings.yaml", "daruma: { backup: { provider: a, model: 4 } }\n",
    "error bad-type settings.yaml:1:41" },
  { "backup/slip", "settings.yaml", "daruma: { backup: { providr: a, model: b } }\n",
    "warning unknown-key settings.yaml:1:21" },
  { "backup/none", "settings.yaml", "daruma: { backup: { provider: '', model: '' } }\n", "" },

  /* Kinds by content. */
  { "kind/list", "some.yml", "- b\n", "error entry-not-mapping some.yml:1:3" },
  { "kind/mapping", "some.yml", "daruma: { backup: 1 }\n", "error bad-type some.yml:1:19" },
};

static void
test_case (Home *home, gconstpointer data)
{
  const Case *entry = data;
  g_autofree char *path = home_path (home, entry->file);
  g_autoptr (GPtrArray) problems = NULL;
  g_autofree char *text = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  if (g_str_equal (entry->text, "@DEEP@"))
    {
      g_autofree char *deep = g_strnfill (300, '[');

      home_write (home, entry->file, deep);
    }
  else
    home_write (home, entry->file, entry->text);
  g_assert_true (g_file_get_contents (path, &before, NULL, NULL));

  problems = kb_lint_file (path);
  text = describe_problems (problems);
  g_assert_cmpstr (text, ==, entry->problems);
  for (guint i = 0; i < problems->len; i++)
    {
      const KbProblem *problem = problems->pdata[i];

      g_assert_cmpstr (problem->file, ==, path);
      g_assert_nonnull (problem->hint);
    }
  g_assert_true (g_file_get_contents (path, &after, NULL, NULL));
  g_assert_cmpstr (before, ==, after);
}

static void
test_not_readable (Home *home, gconstpointer data)
{
  g_autofree char *missing = home_path (home, "none.yml");
  g_autofree char *pipe = home_path (home, "pipe.patch.yml");
  g_autofree char *folder = home_path (home, "profiles");
  const char *paths[] = { missing, pipe, folder };

  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  for (gsize i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autoptr (GPtrArray) problems = kb_lint_file (paths[i]);
      const KbProblem *problem = problems->pdata[0];

      g_assert_cmpuint (problems->len, ==, 1);
      g_assert_cmpstr (problem->code, ==, "unreadable");
      g_assert_cmpint (problem->severity, ==, KB_SEVERITY_ERROR);
      g_assert_cmpuint (problem->line, ==, 0);
    }
}

/* Places in messages: the other line of a pair, the key that was meant. */
static void
test_messages (Home *home, gconstpointer data)
{
  static const struct
  {
    const char *text;
    const char *message;
    const char *hint;
  } messages[] = {
    { "- id: a\n  config: 1\n\n- id: a\n  config: 2\n", "line 1", NULL },
    { "- id: a\n  x: 1\n  x: 2\n", "line 2", NULL },
    { ROW "    failureBudgt: 3\n", "failureBudgt", "“failureBudget”" },
    { ROW "    cooldownMs: x\n", "30000", "cooldownMs: 30000" },
    { ROW "    channels:\n    - { provider: a, model: b }\n    - { provider: a, model: b }\n",
      "line 4", NULL },
    { "[]\n- id: x\n", "“[]”", "running host" },
    { "", "nothing", "“[]”" },
    { ROW "    cooldownMs: !!js 1\n", "the default is assumed", NULL },
    { ROW "    channels: [!!js c]\n", "not known here", NULL },
    { ROW "    channels: [{ provider: a, model: !!js m }]\n", "not known here", NULL },
  };
  g_autofree char *path = home_path (home, PATCH);

  for (gsize i = 0; i < G_N_ELEMENTS (messages); i++)
    {
      g_autoptr (GPtrArray) problems = NULL;
      const KbProblem *problem;

      home_write (home, PATCH, messages[i].text);
      problems = kb_lint_file (path);
      g_assert_cmpuint (problems->len, ==, 1);
      problem = problems->pdata[0];
      g_test_message ("%s / %s", problem->message, problem->hint);
      g_assert_nonnull (strstr (problem->message, messages[i].message));
      if (messages[i].hint != NULL)
        g_assert_nonnull (strstr (problem->hint, messages[i].hint));
    }
}

static void
test_sort (void)
{
  g_autoptr (GPtrArray) problems
      = g_ptr_array_new_with_free_func ((GDestroyNotify) kb_problem_free);
  g_autofree char *text = NULL;

  g_ptr_array_add (problems, kb_problem_new (KB_SEVERITY_INFO, "d", "/b", 1, 1, "m", NULL));
  g_ptr_array_add (problems, kb_problem_new (KB_SEVERITY_INFO, "c", "/a", 2, 1, "m", NULL));
  g_ptr_array_add (problems, kb_problem_new (KB_SEVERITY_INFO, "b", "/a", 1, 9, "m", NULL));
  g_ptr_array_add (problems, kb_problem_new (KB_SEVERITY_INFO, "z", "/a", 1, 2, "m", NULL));
  g_ptr_array_add (problems, kb_problem_new (KB_SEVERITY_INFO, "a", "/a", 1, 2, "m", NULL));
  kb_lint_sort (problems);
  text = describe_problems (problems);
  g_assert_cmpstr (text, ==,
                   "info a a:1:2\ninfo z a:1:2\ninfo b a:1:9\ninfo c a:2:1\ninfo d b:1:1");
}

static void
test_nearest (void)
{
  static const char *const known[] = { "channels", "cooldownMs", "id", NULL };

  g_assert_cmpstr (kb_nearest_find ("chanels", known), ==, "channels");
  g_assert_cmpstr (kb_nearest_find ("Channels", known), ==, "channels");
  g_assert_cmpstr (kb_nearest_find ("cooldown", known), ==, "cooldownMs");
  g_assert_cmpstr (kb_nearest_find ("cooldown_ms", known), ==, "cooldownMs");
  g_assert_cmpstr (kb_nearest_find ("ID", known), ==, "id");
  g_assert_null (kb_nearest_find ("provider", known));
  g_assert_null (kb_nearest_find ("", known));
  g_assert_null (kb_nearest_find ("a-word-that-is-so-long-that-nobody-can-have-meant-a-key-"
                                  "by-it-at-all",
                                  known));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/store/lint/", cases[i].name, NULL);

      g_test_add (path, Home, &cases[i], home_set_up, test_case, home_tear_down);
    }
  g_test_add ("/store/lint/not-readable", Home, NULL, home_set_up, test_not_readable,
              home_tear_down);
  g_test_add ("/store/lint/messages", Home, NULL, home_set_up, test_messages, home_tear_down);
  g_test_add_func ("/store/lint/sort", test_sort);
  g_test_add_func ("/store/lint/nearest", test_nearest);

  return g_test_run ();
}
