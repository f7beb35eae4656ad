// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "core/kb-sticky.h"

#include <string.h>

/* A member of a group, and how many sessions are bound to it. */
typedef struct
{
  guint n_bound;
  char *group;
  char *name;
} Member;

typedef struct
{
  GList link; /* of the order of use; its data is the binding */
  Member *member;
  gint64 used_ms;
  char session[]; /* the name goes with its length */
} Binding;

struct _KbSticky
{
  GHashTable *bindings; /* Binding, by group and session */
  GHashTable *members;  /* Member, by group and name */
  GQueue order;         /* of Binding: the one used last comes first */
  gint64 ttl_ms;
  guint most;
};

static guint
member_hash (gconstpointer key)
{
  const Member *member = key;

  return g_str_hash (member->group) * 31 + g_str_hash (member->name);
}

static gboolean
member_equal (gconstpointer a, gconstpointer b)
{
  const Member *first = a, *second = b;

  return g_str_equal (first->group, second->group) && g_str_equal (first->name, second->name);
}

static void
member_free (gpointer data)
{
  Member *member = data;

  g_free (member->group);
  g_free (member->name);
  g_free (member);
}

static guint
binding_hash (gconstpointer key)
{
  const Binding *binding = key;

  return g_str_hash (binding->member->group) * 31 + g_str_hash (binding->session);
}

static gboolean
binding_equal (gconstpointer a, gconstpointer b)
{
  const Binding *first = a, *second = b;

  return g_str_equal (first->session, second->session)
         && g_str_equal (first->member->group, second->member->group);
}

static Member *
get_member (KbSticky *self, const char *group, const char *name)
{
  const Member wanted = { .group = (char *) group, .name = (char *) name };
  Member *member = g_hash_table_lookup (self->members, &wanted);

  if (member != NULL)
    return member;
  member = g_new0 (Member, 1);
  member->group = g_strdup (group);
  member->name = g_strdup (name);
  g_hash_table_add (self->members, member);
  return member;
}

static Binding *
binding_new (Member *member, const char *session)
{
  gsize size = strlen (session) + 1;
  Binding *binding = g_malloc0 (sizeof *binding + size);

  binding->link.data = binding;
  binding->member = member;
  memcpy (binding->session, session, size);
  return binding;
}

static Binding *
look_up (KbSticky *self, const char *group, const char *session)
{
  Member member = { .group = (char *) group };
  g_autofree Binding *wanted = binding_new (&member, session);

  return g_hash_table_lookup (self->bindings, wanted);
}

/* What nobody is bound to needs no place. */
static void
leave_member (KbSticky *self, Member *member)
{
  if (--member->n_bound == 0)
    g_hash_table_remove (self->members, member);
}

static void
forget (KbSticky *self, Binding *binding)
{
  Member *member = binding->member;

  g_queue_unlink (&self->order, &binding->link);
  g_hash_table_remove (self->bindings, binding);
  leave_member (self, member);
}

/* The order of use is that of the deadlines, too. */
static void
forget_old (KbSticky *self, gint64 now_ms)
{
  GList *oldest;

  while ((oldest = self->order.tail) != NULL
         && (self->order.length > self->most
             || now_ms - ((Binding *) oldest->data)->used_ms >= self->ttl_ms))
    forget (self, oldest->data);
}

/**
 * kb_sticky_new:
 *
 * Returns: (transfer full): bindings of nobody, with the limits of the product
 */
KbSticky *
kb_sticky_new (void)
{
  KbSticky *self = g_new0 (KbSticky, 1);

  self->bindings = g_hash_table_new_full (binding_hash, binding_equal, g_free, NULL);
  self->members = g_hash_table_new_full (member_hash, member_equal, member_free, NULL);
  self->ttl_ms = KB_STICKY_TTL_MS;
  self->most = KB_STICKY_MOST;
  return self;
}

static void
add_copy (
    const char *group, const char *session, const char *member, gint64 used_ms, gpointer user_data)
{
  kb_sticky_bind (user_data, group, session, member, used_ms);
}

/**
 * kb_sticky_copy:
 * @self: bindings
 *
 * Returns: (transfer full): the same bindings, which may go their own way
 */
KbSticky *
kb_sticky_copy (const KbSticky *self)
{
  KbSticky *copy;

  g_return_val_if_fail (self != NULL, NULL);

  copy = kb_sticky_new ();
  copy->ttl_ms = self->ttl_ms;
  copy->most = self->most;
  kb_sticky_foreach ((KbSticky *) self, add_copy, copy);
  return copy;
}

/**
 * kb_sticky_free:
 * @self: (transfer full) (nullable): bindings
 *
 * Frees them.
 */
void
kb_sticky_free (KbSticky *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->bindings);
  g_hash_table_unref (self->members);
  g_free (self);
}

/**
 * kb_sticky_set_limits:
 * @self: bindings
 * @ttl_ms: > 0: what was not used for so long is forgotten
 * @most: >= 1: how many there may be
 * @now_ms: the present time
 *
 * Sets the limits, and keeps to them at once.
 */
void
kb_sticky_set_limits (KbSticky *self, gint64 ttl_ms, guint most, gint64 now_ms)
{
  g_return_if_fail (self != NULL && ttl_ms > 0 && most >= 1);

  self->ttl_ms = ttl_ms;
  self->most = most;
  forget_old (self, now_ms);
}

/**
 * kb_sticky_find:
 * @self: bindings
 * @group: a group
 * @session: a session
 * @now_ms: the present time
 *
 * Looks without using: the binding grows no younger.
 *
 * Returns: (transfer none) (nullable): the member the session is bound to
 */
const char *
kb_sticky_find (KbSticky *self, const char *group, const char *session, gint64 now_ms)
{
  const Binding *binding;

  g_return_val_if_fail (self != NULL && group != NULL && session != NULL, NULL);

  binding = look_up (self, group, session);
  if (binding == NULL || now_ms - binding->used_ms >= self->ttl_ms)
    return NULL;
  return binding->member->name;
}

/**
 * kb_sticky_bind:
 * @self: bindings
 * @group: a group
 * @session: a session
 * @member: who serves it
 * @now_ms: the present time
 *
 * Binds the session, anew or to another member, and counts as a use. Where there are too many
 * then, the one unused for the longest goes.
 */
void
kb_sticky_bind (
    KbSticky *self, const char *group, const char *session, const char *member, gint64 now_ms)
{
  Binding *binding;
  Member *to;

  g_return_if_fail (self != NULL && group != NULL && session != NULL && member != NULL);

  to = get_member (self, group, member);
  to->n_bound++;
  binding = look_up (self, group, session);
  if (binding == NULL)
    {
      binding = binding_new (to, session);
      g_hash_table_add (self->bindings, binding);
    }
  else
    {
      Member *from = binding->member;

      g_queue_unlink (&self->order, &binding->link);
      binding->member = to;
      leave_member (self, from);
    }
  binding->used_ms = now_ms;
  g_queue_push_head_link (&self->order, &binding->link);
  forget_old (self, now_ms);
}

/**
 * kb_sticky_count:
 * @self: bindings
 * @group: a group
 * @member: one of its members
 * @now_ms: the present time
 *
 * Returns: how many sessions are bound to it
 */
guint
kb_sticky_count (KbSticky *self, const char *group, const char *member, gint64 now_ms)
{
  const Member wanted = { .group = (char *) group, .name = (char *) member };
  const Member *found;

  g_return_val_if_fail (self != NULL && group != NULL && member != NULL, 0);

  forget_old (self, now_ms);
  found = g_hash_table_lookup (self->members, &wanted);
  return found != NULL ? found->n_bound : 0;
}

/**
 * kb_sticky_get_n_bindings:
 * @self: bindings
 *
 * Returns: how many it remembers
 */
guint
kb_sticky_get_n_bindings (KbSticky *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->order.length;
}

/**
 * kb_sticky_keep:
 * @self: bindings
 * @filter: (scope call): says whether a group still has a member
 * @user_data: for @filter
 *
 * Unbinds the sessions of members that are gone.
 */
void
kb_sticky_keep (KbSticky *self, KbStickyFilter filter, gpointer user_data)
{
  GList *next;

  g_return_if_fail (self != NULL && filter != NULL);

  for (GList *link = self->order.head; link != NULL; link = next)
    {
      Binding *binding = link->data;

      next = link->next;
      if (!filter (binding->member->group, binding->member->name, user_data))
        forget (self, binding);
    }
}

/**
 * kb_sticky_foreach:
 * @self: bindings
 * @func: (scope call): called for each, the one unused for the longest first; it must not
 *   change them
 * @user_data: for @func
 *
 * Visits all bindings, in an order in which they can be bound again.
 */
void
kb_sticky_foreach (KbSticky *self, KbStickyFunc func, gpointer user_data)
{
  g_return_if_fail (self != NULL && func != NULL);

  for (GList *link = self->order.tail; link != NULL; link = link->prev)
    {
      const Binding *binding = link->data;

      func (binding->member->group, binding->session, binding->member->name, binding->used_ms,
            user_data);
    }
}
