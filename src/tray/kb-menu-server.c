// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#define G_LOG_DOMAIN "kb-menu-server"

#include "config.h"

#include "tray/kb-menu-server.h"

#include "tray/kb-tray-bus.h"

#define PROTOCOL_VERSION 3

/* An item on the bus: what hosts were told about it. */
typedef struct
{
  const KbTrayItem *item; /* of the present menu */
  GVariant *properties;   /* owned: a{sv} */
} Entry;

struct _KbMenuServer
{
  GObject parent_instance;

  KbTrayBusMenu *skeleton; /* owned */
  KbTrayItem *menu;        /* owned, nullable */
  GHashTable *numbers;     /* owned: key -> number, also of items that are gone */
  GHashTable *entries;     /* owned: number -> Entry */
  int last_number;
  guint revision;
};

G_DEFINE_FINAL_TYPE (KbMenuServer, kb_menu_server, G_TYPE_OBJECT)

enum
{
  SIGNAL_ACTIVATED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
entry_free (gpointer data)
{
  Entry *entry = data;

  g_variant_unref (entry->properties);
  g_free (entry);
}

static GHashTable *
create_entries (void)
{
  return g_hash_table_new_full (NULL, NULL, NULL, entry_free);
}

static const Entry *
find_entry (KbMenuServer *self, int number)
{
  return g_hash_table_lookup (self->entries, GINT_TO_POINTER (number));
}

/* A number belongs to its key for good: a host may still act on an item that has gone. */
static int
number_of (KbMenuServer *self, const KbTrayItem *item)
{
  int number;

  if (item == self->menu)
    return 0;
  number = GPOINTER_TO_INT (g_hash_table_lookup (self->numbers, item->key));
  if (number == 0)
    {
      number = ++self->last_number;
      g_hash_table_insert (self->numbers, g_strdup (item->key), GINT_TO_POINTER (number));
    }
  return number;
}

static void
collect_entries (KbMenuServer *self, GHashTable *entries, const KbTrayItem *item)
{
  Entry *entry = g_new0 (Entry, 1);

  entry->item = item;
  entry->properties = kb_tray_item_to_properties (item);
  g_hash_table_insert (entries, GINT_TO_POINTER (number_of (self, item)), entry);
  for (guint i = 0; i < item->children->len; i++)
    collect_entries (self, entries, g_ptr_array_index (item->children, i));
}

static gboolean
has_same_structure (const KbTrayItem *a, const KbTrayItem *b)
{
  if (!g_str_equal (a->key, b->key) || a->children->len != b->children->len)
    return FALSE;
  for (guint i = 0; i < a->children->len; i++)
    if (!has_same_structure (a->children->pdata[i], b->children->pdata[i]))
      return FALSE;
  return TRUE;
}

static GVariant *
filter_properties (GVariant *properties, const char *const *names)
{
  g_autoptr (GVariantDict) all = NULL;
  GVariantDict some = G_VARIANT_DICT_INIT (NULL);

  if (names == NULL || names[0] == NULL)
    return g_variant_ref (properties);
  all = g_variant_dict_new (properties);
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (GVariant) value = g_variant_dict_lookup_value (all, names[i], NULL);

      if (value != NULL)
        g_variant_dict_insert_value (&some, names[i], value);
    }
  return g_variant_ref_sink (g_variant_dict_end (&some));
}

/* What differs of one item, or NULL. No property ever goes: all are always given. */
static GVariant *
compare_properties (GVariant *before, GVariant *now)
{
  g_autoptr (GVariantDict) old = NULL;
  GVariantDict changed = G_VARIANT_DICT_INIT (NULL);
  GVariantIter iter;
  const char *name;
  GVariant *value;
  gboolean any = FALSE;

  if (g_variant_equal (before, now))
    return NULL;
  old = g_variant_dict_new (before);
  g_variant_iter_init (&iter, now);
  while (g_variant_iter_loop (&iter, "{&sv}", &name, &value))
    {
      g_autoptr (GVariant) was = g_variant_dict_lookup_value (old, name, NULL);

      if (was != NULL && g_variant_equal (was, value))
        continue;
      g_variant_dict_insert_value (&changed, name, value);
      any = TRUE;
    }
  g_assert (any);
  return g_variant_ref_sink (g_variant_dict_end (&changed));
}

static void
tell_changes (KbMenuServer *self, GHashTable *before)
{
  GVariantBuilder updated = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("a(ia{sv})"));
  GHashTableIter iter;
  gpointer number;
  Entry *entry;
  gboolean any = FALSE;

  g_hash_table_iter_init (&iter, self->entries);
  while (g_hash_table_iter_next (&iter, &number, (gpointer *) &entry))
    {
      const Entry *old = g_hash_table_lookup (before, number);
      g_autoptr (GVariant) changed
          = old != NULL ? compare_properties (old->properties, entry->properties) : NULL;

      if (changed == NULL)
        continue;
      g_variant_builder_add (&updated, "(i@a{sv})", GPOINTER_TO_INT (number), changed);
      any = TRUE;
    }
  if (any)
    kb_tray_bus_menu_emit_items_properties_updated (
        self->skeleton, g_variant_builder_end (&updated), g_variant_new ("a(ias)", NULL));
  else
    g_variant_builder_clear (&updated);
}

static GVariant *
build_layout (KbMenuServer *self, const KbTrayItem *item, int depth, const char *const *names)
{
  GVariantBuilder children = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("av"));
  int number = number_of (self, item);
  g_autoptr (GVariant) properties
      = filter_properties (find_entry (self, number)->properties, names);

  for (guint i = 0; depth != 0 && i < item->children->len; i++)
    g_variant_builder_add (
        &children, "v",
        build_layout (self, item->children->pdata[i], depth > 0 ? depth - 1 : depth, names));
  return g_variant_new ("(i@a{sv}av)", number, properties, &children);
}

static void
refuse_number (GDBusMethodInvocation *invocation, int number)
{
  g_dbus_method_invocation_return_error (invocation, G_DBUS_ERROR, G_DBUS_ERROR_INVALID_ARGS,
                                         "No item has the number %d", number);
}

static gboolean
handle_get_layout_cb (KbMenuServer *self,
                      GDBusMethodInvocation *invocation,
                      int parent,
                      int depth,
                      const char *const *names)
{
  const Entry *entry = find_entry (self, parent);

  if (entry == NULL)
    refuse_number (invocation, parent);
  else
    kb_tray_bus_menu_complete_get_layout (self->skeleton, invocation, self->revision,
                                          build_layout (self, entry->item, depth, names));
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static void
add_group_entry (GVariantBuilder *builder, int number, const Entry *entry, const char *const *names)
{
  g_autoptr (GVariant) properties = filter_properties (entry->properties, names);

  g_variant_builder_add (builder, "(i@a{sv})", number, properties);
}

static gboolean
handle_get_group_properties_cb (KbMenuServer *self,
                                GDBusMethodInvocation *invocation,
                                GVariant *numbers,
                                const char *const *names)
{
  GVariantBuilder builder = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("a(ia{sv})"));
  GHashTableIter iter;
  gpointer number;
  gpointer entry;
  gsize n_numbers;
  const gint32 *asked = g_variant_get_fixed_array (numbers, &n_numbers, sizeof (gint32));

  for (gsize i = 0; i < n_numbers; i++)
    if (find_entry (self, asked[i]) != NULL)
      add_group_entry (&builder, asked[i], find_entry (self, asked[i]), names);
  g_hash_table_iter_init (&iter, self->entries);
  while (n_numbers == 0 && g_hash_table_iter_next (&iter, &number, &entry))
    add_group_entry (&builder, GPOINTER_TO_INT (number), entry, names);
  kb_tray_bus_menu_complete_get_group_properties (self->skeleton, invocation,
                                                  g_variant_builder_end (&builder));
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static gboolean
handle_get_property_cb (KbMenuServer *self,
                        GDBusMethodInvocation *invocation,
                        int number,
                        const char *name)
{
  const Entry *entry = find_entry (self, number);
  g_autoptr (GVariant) value = NULL;

  if (entry != NULL)
    value = g_variant_lookup_value (entry->properties, name, NULL);
  if (entry == NULL)
    refuse_number (invocation, number);
  else if (value == NULL)
    g_dbus_method_invocation_return_error (invocation, G_DBUS_ERROR, G_DBUS_ERROR_INVALID_ARGS,
                                           "Item %d has no property “%s”", number, name);
  else
    kb_tray_bus_menu_complete_get_property (self->skeleton, invocation,
                                            g_variant_new_variant (value));
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

/* FALSE: no item has that number. */
static gboolean
take_event (KbMenuServer *self, int number, const char *event)
{
  const Entry *entry = find_entry (self, number);

  if (entry == NULL)
    return FALSE;
  if (g_str_equal (event, "clicked") && entry->item->enabled && entry->item->action != NULL)
    {
      /* The handler may set another menu, and the item is gone. */
      g_autofree char *action = g_strdup (entry->item->action);
      g_autoptr (GVariant) target
          = entry->item->target != NULL ? g_variant_ref (entry->item->target) : NULL;

      g_signal_emit (self, signals[SIGNAL_ACTIVATED], 0, action, target);
    }
  return TRUE;
}

static gboolean
handle_event_cb (KbMenuServer *self,
                 GDBusMethodInvocation *invocation,
                 int number,
                 const char *event,
                 GVariant *data,
                 guint timestamp)
{
  if (find_entry (self, number) == NULL)
    {
      refuse_number (invocation, number);
      return G_DBUS_METHOD_INVOCATION_HANDLED;
    }
  kb_tray_bus_menu_complete_event (self->skeleton, invocation);
  take_event (self, number, event);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static gboolean
handle_event_group_cb (KbMenuServer *self, GDBusMethodInvocation *invocation, GVariant *events)
{
  GVariantBuilder unknown = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("ai"));
  g_autoptr (KbMenuServer) guard = g_object_ref (self);
  GVariantIter iter;
  const char *event;
  GVariant *data;
  int number;
  guint timestamp;

  g_variant_iter_init (&iter, events);
  while (g_variant_iter_loop (&iter, "(i&svu)", &number, &event, &data, &timestamp))
    if (!take_event (self, number, event))
      g_variant_builder_add (&unknown, "i", number);
  kb_tray_bus_menu_complete_event_group (self->skeleton, invocation,
                                         g_variant_builder_end (&unknown));
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

/* The menu is always whole: nothing is filled in when it opens. */
static gboolean
handle_about_to_show_cb (KbMenuServer *self, GDBusMethodInvocation *invocation, int number)
{
  if (find_entry (self, number) == NULL)
    refuse_number (invocation, number);
  else
    kb_tray_bus_menu_complete_about_to_show (self->skeleton, invocation, FALSE);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static gboolean
handle_about_to_show_group_cb (KbMenuServer *self,
                               GDBusMethodInvocation *invocation,
                               GVariant *numbers)
{
  GVariantBuilder unknown = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("ai"));
  GVariantIter iter;
  int number;

  g_variant_iter_init (&iter, numbers);
  while (g_variant_iter_loop (&iter, "i", &number))
    if (find_entry (self, number) == NULL)
      g_variant_builder_add (&unknown, "i", number);
  kb_tray_bus_menu_complete_about_to_show_group (
      self->skeleton, invocation, g_variant_new ("ai", NULL), g_variant_builder_end (&unknown));
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static void
kb_menu_server_dispose (GObject *object)
{
  KbMenuServer *self = KB_MENU_SERVER (object);

  kb_menu_server_unexport (self);
  g_signal_handlers_disconnect_by_data (self->skeleton, self);

  G_OBJECT_CLASS (kb_menu_server_parent_class)->dispose (object);
}

static void
kb_menu_server_finalize (GObject *object)
{
  KbMenuServer *self = KB_MENU_SERVER (object);

  g_clear_object (&self->skeleton);
  g_clear_pointer (&self->entries, g_hash_table_unref);
  g_clear_pointer (&self->numbers, g_hash_table_unref);
  g_clear_pointer (&self->menu, kb_tray_item_free);

  G_OBJECT_CLASS (kb_menu_server_parent_class)->finalize (object);
}

static void
kb_menu_server_class_init (KbMenuServerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = kb_menu_server_dispose;
  object_class->finalize = kb_menu_server_finalize;

  signals[SIGNAL_ACTIVATED]
      = g_signal_new ("activated", KB_TYPE_MENU_SERVER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                      G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_VARIANT);
}

static void
kb_menu_server_init (KbMenuServer *self)
{
  static const struct
  {
    const char *signal;
    GCallback handler;
  } handlers[] = {
    { "handle-get-layout", G_CALLBACK (handle_get_layout_cb) },
    { "handle-get-group-properties", G_CALLBACK (handle_get_group_properties_cb) },
    { "handle-get-property", G_CALLBACK (handle_get_property_cb) },
    { "handle-event", G_CALLBACK (handle_event_cb) },
    { "handle-event-group", G_CALLBACK (handle_event_group_cb) },
    { "handle-about-to-show", G_CALLBACK (handle_about_to_show_cb) },
    { "handle-about-to-show-group", G_CALLBACK (handle_about_to_show_group_cb) },
  };

  self->skeleton = kb_tray_bus_menu_skeleton_new ();
  kb_tray_bus_menu_set_version (self->skeleton, PROTOCOL_VERSION);
  kb_tray_bus_menu_set_status (self->skeleton, "normal");
  kb_tray_bus_menu_set_text_direction (self->skeleton, "ltr");
  kb_tray_bus_menu_set_icon_theme_path (self->skeleton, (const char *const[]) { NULL });
  for (guint i = 0; i < G_N_ELEMENTS (handlers); i++)
    g_signal_connect_swapped (self->skeleton, handlers[i].signal, handlers[i].handler, self);
  self->numbers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->entries = create_entries ();
}

KbMenuServer *
kb_menu_server_new (void)
{
  return g_object_new (KB_TYPE_MENU_SERVER, NULL);
}

/**
 * kb_menu_server_set_menu:
 * @menu: (transfer full): an item whose children are the menu; its own label is not shown
 *
 * Tells hosts only what differs from the menu before.
 */
void
kb_menu_server_set_menu (KbMenuServer *self, KbTrayItem *menu)
{
  g_autoptr (KbTrayItem) old_menu = NULL;
  g_autoptr (GHashTable) before = NULL;

  g_return_if_fail (KB_IS_MENU_SERVER (self));
  g_return_if_fail (menu != NULL);

  old_menu = g_steal_pointer (&self->menu);
  before = g_steal_pointer (&self->entries);
  self->menu = menu;
  self->entries = create_entries ();
  collect_entries (self, self->entries, menu);
  tell_changes (self, before);
  if (old_menu == NULL || !has_same_structure (old_menu, menu))
    kb_tray_bus_menu_emit_layout_updated (self->skeleton, ++self->revision, 0);
}

/**
 * kb_menu_server_export:
 *
 * A menu must have been set: hosts never see an empty one, which some keep for ever.
 */
gboolean
kb_menu_server_export (KbMenuServer *self, GDBusConnection *connection, GError **error)
{
  g_return_val_if_fail (KB_IS_MENU_SERVER (self), FALSE);
  g_return_val_if_fail (self->menu != NULL, FALSE);

  return g_dbus_interface_skeleton_export (G_DBUS_INTERFACE_SKELETON (self->skeleton), connection,
                                           KB_MENU_SERVER_PATH, error);
}

void
kb_menu_server_unexport (KbMenuServer *self)
{
  GDBusInterfaceSkeleton *skeleton;

  g_return_if_fail (KB_IS_MENU_SERVER (self));

  skeleton = G_DBUS_INTERFACE_SKELETON (self->skeleton);
  if (g_dbus_interface_skeleton_get_connection (skeleton) != NULL)
    g_dbus_interface_skeleton_unexport (skeleton);
}
