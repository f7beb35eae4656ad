// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-transcript.h"

#include <string.h>

#define MOST 1000

#define KNOWN "A caf\u00e9 "
#define MORE "in \u4f1a\u6d25."

static KbJoin
add (KbTranscript *transcript,
     KbPieceKind kind,
     guint slot,
     const char *label,
     const char *text,
     gsize *offset)
{
  KbPiece piece = { kind, slot, label, text, strlen (text) };

  return kb_transcript_add (transcript, &piece, offset);
}

static KbTranscript *
make (const char *text)
{
  KbTranscript *transcript = kb_transcript_new (MOST);
  gsize offset;

  g_assert_cmpint (add (transcript, KB_PIECE_TEXT, 0, NULL, text, &offset), ==, KB_JOIN_PASS);
  g_assert_cmpuint (offset, ==, 0);
  g_assert_true (kb_transcript_is_known (transcript));
  g_assert_true (kb_transcript_is_met (transcript));
  return transcript;
}

/* What gets through of @text, cut into pieces of @size bytes, at characters only; NULL = it does
 * not join. */
static char *
let_through (KbTranscript *transcript, const char *text, gsize size)
{
  g_autoptr (GString) out = g_string_new (NULL);

  while (*text != '\0')
    {
      const char *end = text;
      g_autofree char *piece = NULL;
      gsize offset;
      KbJoin join;

      do
        end = g_utf8_next_char (end);
      while (*end != '\0' && (gsize) (g_utf8_next_char (end) - text) <= size);
      piece = g_strndup (text, (gsize) (end - text));
      text = end;
      join = add (transcript, KB_PIECE_TEXT, 0, NULL, piece, &offset);
      if (join == KB_JOIN_BROKEN)
        return NULL;
      if (join == KB_JOIN_PASS)
        g_string_append (out, piece + offset);
    }
  return g_string_free_and_steal (g_steal_pointer (&out));
}

static void
test_from_the_start (void)
{
  for (gsize size = 1; size <= strlen (KNOWN MORE); size++)
    {
      g_autoptr (KbTranscript) transcript = make (KNOWN);
      g_autofree char *out = NULL;

      kb_transcript_begin_again (transcript);
      g_assert_false (kb_transcript_is_met (transcript));
      out = let_through (transcript, KNOWN MORE, size);
      g_assert_cmpstr (out, ==, MORE);
      g_assert_true (kb_transcript_is_met (transcript));
    }
}

/* Every single byte that differs is found, before anything gets through. */
static void
test_one_byte_off (void)
{
  for (gsize at = 0; at < strlen (KNOWN); at++)
    for (gsize size = 1; size <= strlen (KNOWN MORE); size += 3)
      {
        g_autoptr (KbTranscript) transcript = make (KNOWN);
        g_autofree char *other = g_strdup (KNOWN MORE);
        gsize offset;
        KbPiece piece = { KB_PIECE_TEXT, 0, NULL, other, 0 };
        KbJoin join = KB_JOIN_SKIP;

        other[at] ^= 1;
        kb_transcript_begin_again (transcript);
        for (; *piece.text != '\0' && join == KB_JOIN_SKIP; piece.text += piece.length)
          {
            piece.length = MIN (size, strlen (piece.text));
            join = kb_transcript_add (transcript, &piece, &offset);
          }
        g_assert_cmpint (join, ==, KB_JOIN_BROKEN);
      }
}

static void
test_other_answers (void)
{
  const char *const others[] = {
    " A caf\u00e9 in",                         /* white space in front */
    "A  caf\u00e9 in",                         /* twice */
    "A caf\u00e9in",                           /* none */
    "A caf\u00e9\u00a0in",                     /* another one */
    "A caf\u00e9\nin",     "A cafe\u0301 in",  /* the same to a reader, in other bytes */
    "a caf\u00e9 in",      "in \u4f1a\u6d25.", /* only the rest */
  };

  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    for (gsize size = 1; size < 20; size++)
      {
        g_autoptr (KbTranscript) transcript = make (KNOWN);
        g_autofree char *out = NULL;

        kb_transcript_begin_again (transcript);
        out = let_through (transcript, others[i], size);
        g_assert_null (out);
      }
}

/* One that ends before it has said all is not whole, and not let through. */
static void
test_shorter (void)
{
  g_autoptr (KbTranscript) transcript = make (KNOWN);
  g_autofree char *out = NULL;

  kb_transcript_begin_again (transcript);
  out = let_through (transcript, "A caf", 2);
  g_assert_cmpstr (out, ==, "");
  g_assert_false (kb_transcript_is_met (transcript));
  g_assert_cmpint (kb_transcript_close (transcript, 0), ==, KB_JOIN_BROKEN);
}

/* A piece never begins within a character. */
static void
test_split_character (void)
{
  g_autoptr (KbTranscript) transcript = kb_transcript_new (MOST);
  KbPiece half = { KB_PIECE_TEXT, 0, NULL, "\xe4\xbc", 2 };
  KbPiece whole = { KB_PIECE_TEXT, 0, NULL, "\xe4\xbc\x9a", 3 };
  gsize offset;

  g_assert_cmpint (kb_transcript_add (transcript, &half, &offset), ==, KB_JOIN_PASS);
  kb_transcript_begin_again (transcript);
  g_assert_cmpint (kb_transcript_add (transcript, &whole, &offset), ==, KB_JOIN_BROKEN);
}

static void
test_prefill (void)
{
  g_autoptr (KbTranscript) transcript = make (KNOWN);
  g_autofree char *prefill = kb_transcript_dup_prefill (transcript);
  g_autofree char *out = NULL;
  g_autofree char *again = NULL;

  g_assert_cmpstr (prefill, ==, "A caf\u00e9");
  kb_transcript_go_on (transcript);
  g_assert_false (kb_transcript_is_met (transcript));
  out = let_through (transcript, " " MORE, 3);
  g_assert_cmpstr (out, ==, MORE);
  again = kb_transcript_dup_prefill (transcript);
  g_assert_cmpstr (again, ==, KNOWN MORE);
}

static void
test_prefill_white_space (void)
{
  const char *const others[] = { MORE, "\n" MORE, "\u00a0" MORE };

  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_autoptr (KbTranscript) transcript = make (KNOWN);
      g_autofree char *out = NULL;

      kb_transcript_go_on (transcript);
      out = let_through (transcript, others[i], 100);
      g_assert_null (out);
    }
}

/* Only a text that goes on can be said to be the beginning of a message. */
static void
test_no_prefill (void)
{
  g_autoptr (KbTranscript) nothing = kb_transcript_new (MOST);
  g_autoptr (KbTranscript) blank = make (" \n");
  g_autoptr (KbTranscript) closed = make ("a");
  g_autoptr (KbTranscript) thought = make ("a");
  g_autoptr (KbTranscript) tool = kb_transcript_new (MOST);
  gsize offset;

  g_assert_null (kb_transcript_dup_prefill (nothing));
  g_assert_false (kb_transcript_is_known (nothing));
  g_assert_null (kb_transcript_dup_prefill (blank));
  g_assert_cmpint (kb_transcript_close (closed, 0), ==, KB_JOIN_PASS);
  g_assert_null (kb_transcript_dup_prefill (closed));
  add (thought, KB_PIECE_THINKING, 1, NULL, "b", &offset);
  g_assert_null (kb_transcript_dup_prefill (thought));
  add (tool, KB_PIECE_TOOL, 0, "call", "{", &offset);
  g_assert_null (kb_transcript_dup_prefill (tool));
}

/* ---- several parts ---- */

static KbTranscript *
make_parts (void)
{
  KbTranscript *transcript = kb_transcript_new (MOST);
  gsize offset;

  add (transcript, KB_PIECE_THINKING, 0, "", "hm", &offset);
  kb_transcript_close (transcript, 0);
  add (transcript, KB_PIECE_TOOL, 1, "call_1 pick", "", &offset);
  add (transcript, KB_PIECE_TOOL, 1, NULL, "{\"a", &offset);
  kb_transcript_begin_again (transcript);
  return transcript;
}

static void
test_parts (void)
{
  g_autoptr (KbTranscript) transcript = make_parts ();
  gsize offset;

  g_assert_cmpint (add (transcript, KB_PIECE_THINKING, 0, "", "", &offset), ==, KB_JOIN_SKIP);
  g_assert_cmpint (add (transcript, KB_PIECE_THINKING, 0, NULL, "hm", &offset), ==, KB_JOIN_SKIP);
  g_assert_cmpint (kb_transcript_close (transcript, 0), ==, KB_JOIN_SKIP);
  g_assert_cmpint (add (transcript, KB_PIECE_TOOL, 1, "call_1 pick", "", &offset), ==,
                   KB_JOIN_SKIP);
  g_assert_false (kb_transcript_is_met (transcript));
  g_assert_cmpint (add (transcript, KB_PIECE_TOOL, 1, NULL, "{\"a\":1", &offset), ==, KB_JOIN_PASS);
  g_assert_cmpuint (offset, ==, 3);
  g_assert_true (kb_transcript_is_met (transcript));
  g_assert_cmpint (add (transcript, KB_PIECE_TOOL, 1, NULL, "}", &offset), ==, KB_JOIN_PASS);
  g_assert_cmpint (kb_transcript_close (transcript, 1), ==, KB_JOIN_PASS);
  g_assert_cmpint (add (transcript, KB_PIECE_TEXT, 2, "", "", &offset), ==, KB_JOIN_PASS);
}

static void
test_other_parts (void)
{
  const struct
  {
    KbPieceKind kind;
    guint slot;
    const char *label;
    const char *text;
  } others[] = {
    { KB_PIECE_THINKING, 0, "", "ho" },      /* another thought */
    { KB_PIECE_THINKING, 0, "", "hmm" },     /* a longer one, which had ended */
    { KB_PIECE_THINKING, 0, NULL, "hm" },    /* without its beginning */
    { KB_PIECE_TEXT, 0, "", "hm" },          /* another kind */
    { KB_PIECE_TOOL, 1, "call_1 pick", "" }, /* without the thought */
    { KB_PIECE_TOOL, 1, NULL, "{\"a" },      /* the same */
    { KB_PIECE_TEXT, 2, NULL, "x" },         /* something new too early */
    { KB_PIECE_OTHER, 7, "image", "" },      /* the same */
  };

  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_autoptr (KbTranscript) transcript = make_parts ();
      gsize offset;

      g_assert_cmpint (add (transcript, others[i].kind, others[i].slot, others[i].label,
                            others[i].text, &offset),
                       ==, KB_JOIN_BROKEN);
    }
}

/* A call of another name or another number is another call. */
static void
test_other_tool (void)
{
  const char *const labels[] = { "call_2 pick", "call_1 put", "" };

  for (gsize i = 0; i < G_N_ELEMENTS (labels); i++)
    {
      g_autoptr (KbTranscript) transcript = make_parts ();
      gsize offset;

      add (transcript, KB_PIECE_THINKING, 0, "", "hm", &offset);
      g_assert_cmpint (add (transcript, KB_PIECE_TOOL, 1, labels[i], "", &offset), ==,
                       KB_JOIN_BROKEN);
    }
}

/* ---- again and again ---- */

static void
test_twice (void)
{
  g_autoptr (KbTranscript) transcript = make ("ab");
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;

  kb_transcript_begin_again (transcript);
  first = let_through (transcript, "abcd", 3);
  g_assert_cmpstr (first, ==, "cd");
  kb_transcript_begin_again (transcript);
  g_assert_null (let_through (transcript, "abce", 1));
  kb_transcript_begin_again (transcript);
  second = let_through (transcript, "abcdef", 5);
  g_assert_cmpstr (second, ==, "ef");
}

/* A continuation that failed before it had said all leaves nothing behind. */
static void
test_failed_between (void)
{
  g_autoptr (KbTranscript) transcript = make ("abc");
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;

  kb_transcript_begin_again (transcript);
  first = let_through (transcript, "ab", 1);
  g_assert_cmpstr (first, ==, "");
  kb_transcript_begin_again (transcript);
  second = let_through (transcript, "abcd", 1);
  g_assert_cmpstr (second, ==, "d");
}

static void
test_lost (void)
{
  g_autoptr (KbTranscript) transcript = make ("abc");
  g_autoptr (KbTranscript) small = kb_transcript_new (4);
  gsize offset;

  kb_transcript_lose (transcript);
  g_assert_false (kb_transcript_is_known (transcript));
  g_assert_false (kb_transcript_is_met (transcript));
  kb_transcript_begin_again (transcript);
  g_assert_cmpint (add (transcript, KB_PIECE_TEXT, 0, NULL, "abc", &offset), ==, KB_JOIN_BROKEN);
  g_assert_null (kb_transcript_dup_prefill (transcript));

  g_assert_cmpint (add (small, KB_PIECE_TEXT, 0, NULL, "abcd", &offset), ==, KB_JOIN_PASS);
  g_assert_true (kb_transcript_is_known (small));
  g_assert_cmpint (add (small, KB_PIECE_TEXT, 0, NULL, "e", &offset), ==, KB_JOIN_PASS);
  g_assert_false (kb_transcript_is_known (small));
}

/* Nothing is no part of an answer. */
static void
test_empty_pieces (void)
{
  g_autoptr (KbTranscript) transcript = kb_transcript_new (MOST);
  gsize offset;

  g_assert_cmpint (add (transcript, KB_PIECE_TEXT, 0, NULL, "", &offset), ==, KB_JOIN_SKIP);
  g_assert_false (kb_transcript_is_known (transcript));
  add (transcript, KB_PIECE_TEXT, 0, NULL, "a", &offset);
  kb_transcript_begin_again (transcript);
  g_assert_cmpint (add (transcript, KB_PIECE_THINKING, 1, NULL, "", &offset), ==, KB_JOIN_SKIP);
  g_assert_cmpint (add (transcript, KB_PIECE_TEXT, 0, NULL, "", &offset), ==, KB_JOIN_SKIP);
  g_assert_cmpint (add (transcript, KB_PIECE_TEXT, 0, NULL, "ab", &offset), ==, KB_JOIN_PASS);
  g_assert_cmpuint (offset, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/transcript/from-the-start", test_from_the_start);
  g_test_add_func ("/transcript/one-byte-off", test_one_byte_off);
  g_test_add_func ("/transcript/other-answers", test_other_answers);
  g_test_add_func ("/transcript/shorter", test_shorter);
  g_test_add_func ("/transcript/split-character", test_split_character);
  g_test_add_func ("/transcript/prefill", test_prefill);
  g_test_add_func ("/transcript/prefill-white-space", test_prefill_white_space);
  g_test_add_func ("/transcript/no-prefill", test_no_prefill);
  g_test_add_func ("/transcript/parts", test_parts);
  g_test_add_func ("/transcript/other-parts", test_other_parts);
  g_test_add_func ("/transcript/other-tool", test_other_tool);
  g_test_add_func ("/transcript/twice", test_twice);
  g_test_add_func ("/transcript/failed-between", test_failed_between);
  g_test_add_func ("/transcript/lost", test_lost);
  g_test_add_func ("/transcript/empty-pieces", test_empty_pieces);
  return g_test_run ();
}
