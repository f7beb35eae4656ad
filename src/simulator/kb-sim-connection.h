// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#pragma once

#include "simulator/kb-sim-answer.h"
#include "simulator/kb-sim-log.h"
#include "simulator/kb-sim-loop.h"
#include "simulator/kb-sim-request.h"

typedef struct _KbSimConnection KbSimConnection;

/* What a connection needs of the server. */
typedef struct
{
  KbSimLoop *loop;
  KbSimLog *log;
  double scale;
  /* The answer of a request, and if it is an attempt at a model, the attempt: both full. */
  KbSimAnswer *(*answer) (gpointer user_data,
                          KbSimRequest *request,
                          KbSimCase *circumstances,
                          KbSimAttempt **attempt);
  void (*closed) (gpointer user_data);
  gpointer user_data;
} KbSimHost;

KbSimConnection *
kb_sim_connection_new (const KbSimHost *host, GSocketConnection *stream, guint64 number);
