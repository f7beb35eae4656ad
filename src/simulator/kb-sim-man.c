// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "config.h"

#include "simulator/kb-sim-man.h"

#include "simulator/kb-sim-script.h"

/* The manual page is English, and made of the tables of models and faults. */

static const char head[]
    = ".SH NAME\n"
      "koboshi\\-simulator \\- a fake model provider that fails on demand\n"
      ".SH SYNOPSIS\n"
      ".B koboshi\\-simulator\n"
      "[\\fIOPTIONS\\fR]\n"
      ".SH DESCRIPTION\n"
      "Serves the OpenAI chat completions and responses dialects and the Anthropic messages\n"
      "dialect on the loopback, plain and streaming. The name of the model selects what happens\n"
      "to a request. Every model that answers says the same text of 60 tokens, so that a test can\n"
      "tell whether an answer is whole. Keys are neither asked for nor looked at.\n"
      ".PP\n"
      "Nothing but the loopback is served. Do not point people at it: it lies.\n"
      ".SH OPTIONS\n"
      ".TP\n\\fB\\-p\\fR, \\fB\\-\\-port\\fR \\fIPORT\\fR\nthe port, 8401 if none is given; 0 "
      "picks a free one.\n"
      "The first line of the output is an object with \\fBport\\fR and \\fBurl\\fR.\n"
      ".TP\n\\fB\\-\\-scale\\fR \\fIFACTOR\\fR\nmultiplies all waits, those it tells a client too\n"
      ".TP\n\\fB\\-s\\fR, \\fB\\-\\-script\\fR \\fIFILE\\fR\nreads models from a JSON file\n"
      ".TP\n\\fB\\-\\-seed\\fR \\fINUMBER\\fR\nbegins all random choices with this number\n"
      ".TP\n\\fB\\-l\\fR, \\fB\\-\\-log\\fR \\fIFILE\\fR\nappends the lines of the attempts to a "
      "file instead of standard output\n"
      ".TP\n\\fB\\-q\\fR, \\fB\\-\\-quiet\\fR\nprints the first line only\n"
      ".SH MODELS\n"
      "The names of the public failover benchmark. A name may go on behind a hyphen, as in\n"
      "\\fBfb\\-s01\\-run7\\fR; every full name is counted by itself.\n";

static const char faults[]
    = ".SH FAULTS\n"
      "A model can also be named by its faults: \\fBsim\\-\\fIFAULT\\fB=\\fIVALUE\\fB+\\fR..., for "
      "example\n"
      "\\fBsim\\-status=503+times=2\\fR or \\fBsim\\-tps=20+cut=30+end=reset\\fR. Durations are in "
      "ms, or "
      "have a\n"
      "unit: 250, 1.5s, 2m. A flag needs no value, and \\fB=no\\fR takes it back. Where the steps "
      "of "
      "a\n"
      "model are over it answers well.\n";

static const char tail[]
    = ".SH SCRIPTS\n"
      "A script is a JSON object. What stands beside \\fBsteps\\fR holds in every step:\n"
      ".PP\n.nf\n"
      "{\"seed\": 1, \"models\": {\n"
      "  \"flaky\": {\"token\": \"20ms\", \"steps\": [{\"times\": 2, \"status\": 503},\n"
      "                                      {\"for\": \"60s\", \"chance\": 0.2, \"cut\": 40}]},\n"
      "  \"slow\": \"first-token=20s+jitter=5s\"\n"
      "}}\n.fi\n"
      ".SH REQUESTS\n"
      "A last message of the assistant is continued. A request that brings tools gets a call of "
      "one\n"
      "of them if it must (\\fBtool_choice\\fR), if its last message says \\(lqcall NAME\\(rq, or "
      "if\n"
      "the model has the fault \\fBtools\\fR.\n"
      ".PP\n"
      "About itself it answers \\fBGET /_attempts\\fR[\\fB?model=\\fINAME\\fR] (with times, "
      "headers "
      "and\n"
      "the digest of the body), \\fBGET /_text\\fR[\\fB?tokens=\\fIN\\fR], \\fBGET /_health\\fR,\n"
      "\\fBPOST /_reset\\fR and \\fBPUT /_script\\fR.\n"
      ".SH EXIT STATUS\n"
      ".TP\n.B 0\nstopped by a signal\n"
      ".TP\n.B 1\nfailed, for example because the port is taken\n"
      ".TP\n.B 2\na mistake in the command line\n"
      ".SH SEE ALSO\n"
      ".BR koboshictl (1)\n";

/* Hyphens must be copied as they are typed, and roff has names of its own for quotes. */
static void
print_text (const char *text, FILE *stream)
{
  for (; *text != '\0'; text = g_utf8_next_char (text))
    {
      gunichar c = g_utf8_get_char (text);
      char utf8[7] = { 0 };

      g_unichar_to_utf8 (c, utf8);
      if (c == '-')
        fputs ("\\-", stream);
      else if (c == 0x201c || c == 0x201d)
        fputs (c == 0x201c ? "\\(lq" : "\\(rq", stream);
      else
        fputs (utf8, stream);
    }
}

static void
print_item (const char *name, const char *what, FILE *stream)
{
  fputs (".TP\n.B ", stream);
  print_text (name, stream);
  fputc ('\n', stream);
  print_text (what, stream);
  fputc ('\n', stream);
}

void
kb_sim_man_print (FILE *stream)
{
  const char *name, *what;

  fprintf (stream, ".TH KOBOSHI-SIMULATOR 1 \"\" \"Koboshi %s\"\n", KB_VERSION);
  fputs (head, stream);
  for (guint i = 0; kb_sim_script_describe (i, &name, &what); i++)
    print_item (name, *what != '\0' ? what : "answers well", stream);
  fputs (faults, stream);
  for (guint i = 0; kb_sim_fault_describe (i, &name, &what); i++)
    print_item (name, what, stream);
  fputs (tail, stream);
}
