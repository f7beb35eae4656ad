// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#define G_LOG_DOMAIN "kb-transfer"

#include "gateway/kb-upstream-private.h"

#include <errno.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "gateway/kb-http-head.h"

/* Twice this is what the kernel takes from a provider that is faster than the client. */
#define RECEIVE_BUFFER (128 * 1024)

static void
tell_route (KbTransfer *self, const char *tls_error)
{
  KbTransferRoute route = { .proxy = self->proxy,
                            .reason = self->reason,
                            .is_answered = self->has_head,
                            .tls_error = tls_error };
  char *address = NULL;

  curl_easy_getinfo (self->easy, CURLINFO_PRIMARY_IP, &address);
  if (address != NULL && *address != '\0')
    route.address = address;
  self->funcs.route (&route, self->user_data);
}

/* One line of an answer's head. An informational answer (1xx) has a head of its own before it.
 * libcurl is not strict about names and values; libsoup takes what is none for our own fault. */
static size_t
on_header (char *line, size_t size, size_t n, void *user_data)
{
  KbTransfer *self = user_data;
  gsize length = size * n;
  g_autofree char *text = g_strchomp (g_strndup (line, length));
  long status = 0;

  if (g_str_has_prefix (text, "HTTP/"))
    soup_message_headers_clear (self->head);
  else if (kb_http_head_is_field (text, strlen (text)))
    {
      char *colon = strchr (text, ':');

      *colon = '\0';
      soup_message_headers_append (self->head, text, g_strstrip (colon + 1));
    }
  if (*text != '\0' || self->has_head || self->is_cancelled)
    return length;
  curl_easy_getinfo (self->easy, CURLINFO_RESPONSE_CODE, &status);
  if (status < 200)
    return length;
  self->has_head = TRUE;
  tell_route (self, NULL);
  self->funcs.head ((int) status, self->head, self->user_data);
  return length;
}

static size_t
on_data (char *bytes, size_t size, size_t n, void *user_data)
{
  KbTransfer *self = user_data;

  /* without a head it is the talk of another protocol (101) that nobody asked for */
  if (self->is_cancelled || !self->has_head)
    return CURL_WRITEFUNC_ERROR;
  if (self->funcs.data (bytes, size * n, self->user_data))
    return size * n;
  self->is_paused = TRUE;
  return CURL_WRITEFUNC_PAUSE;
}

static gboolean
is_loopback (const struct sockaddr *address)
{
  const struct sockaddr_in6 *six = (const struct sockaddr_in6 *) (const void *) address;
  const struct sockaddr_in *four = (const struct sockaddr_in *) (const void *) address;

  if (address->sa_family == AF_INET)
    return ntohl (four->sin_addr.s_addr) >> 24 == 127 || four->sin_addr.s_addr == 0;
  if (IN6_IS_ADDR_V4MAPPED (&six->sin6_addr))
    return six->sin6_addr.s6_addr[12] == 127 || six->sin6_addr.s6_addr[12] == 0;
  return IN6_IS_ADDR_LOOPBACK (&six->sin6_addr) || IN6_IS_ADDR_UNSPECIFIED (&six->sin6_addr);
}

static gboolean
is_same (const struct sockaddr *a, const struct sockaddr *b)
{
  const struct sockaddr_in6 *six = (const struct sockaddr_in6 *) (const void *) a;
  const struct sockaddr_in *four = (const struct sockaddr_in *) (const void *) a;
  const struct in_addr *mapped
      = (const struct in_addr *) (const void *) &six->sin6_addr.s6_addr[12];

  if (b == NULL)
    return FALSE;
  if (b->sa_family == AF_INET6)
    return a->sa_family == AF_INET6
           && IN6_ARE_ADDR_EQUAL (&six->sin6_addr,
                                  &((const struct sockaddr_in6 *) (const void *) b)->sin6_addr);
  if (b->sa_family != AF_INET
      || (a->sa_family == AF_INET6 && !IN6_IS_ADDR_V4MAPPED (&six->sin6_addr)))
    return FALSE;
  return (a->sa_family == AF_INET ? &four->sin_addr : mapped)->s_addr
         == ((const struct sockaddr_in *) (const void *) b)->sin_addr.s_addr;
}

/* A gateway that is open to the network has more addresses than the loopback's. */
static gboolean
is_here (const struct sockaddr *address)
{
  struct ifaddrs *own = NULL;
  gboolean found = is_loopback (address);

  if (found || getifaddrs (&own) != 0)
    return found;
  for (const struct ifaddrs *one = own; one != NULL && !found; one = one->ifa_next)
    found = is_same (address, one->ifa_addr);
  freeifaddrs (own);
  return found;
}

static curl_socket_t
open_socket (KbUpstream *upstream, const struct curl_sockaddr *address)
{
  int size = RECEIVE_BUFFER;
  int fd = socket (address->family, address->socktype | SOCK_CLOEXEC, address->protocol);

  if (fd < 0)
    return CURL_SOCKET_BAD;
  setsockopt (fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
  kb_poller_own (upstream->poller, fd);
  return fd;
}

/* Asked with the address a name led to: the one place no spelling gets around. */
static curl_socket_t
on_open (void *user_data, curlsocktype purpose, struct curl_sockaddr *address)
{
  KbTransfer *self = user_data;
  const struct sockaddr_in *four = (const struct sockaddr_in *) (const void *) &address->addr;
  gboolean is_inet = address->family == AF_INET || address->family == AF_INET6;

  /* the port stands at the same place in both families */
  if (is_inet && self->upstream->own_port != 0 && ntohs (four->sin_port) == self->upstream->own_port
      && is_here (&address->addr))
    {
      self->is_own_port = TRUE;
      errno = ECONNREFUSED;
      return CURL_SOCKET_BAD;
    }
  return open_socket (self->upstream, address);
}

static int
on_close (void *user_data, curl_socket_t fd)
{
  KbUpstream *upstream = user_data;

  kb_poller_disown (upstream->poller, fd);
  return close (fd);
}

static void
add_header (KbTransfer *self, const char *line)
{
  self->header_list = curl_slist_append (self->header_list, line);
}

static void
add_key (KbTransfer *self, const KbTarget *target)
{
  g_autofree char *line = NULL;

  if (target->key == NULL)
    return;
  if (target->key_kind == KB_TARGET_KEY_BEARER)
    line = g_strconcat ("authorization: Bearer ", kb_secret_get_text (target->key), NULL);
  if (target->key_kind == KB_TARGET_KEY_X_API)
    line = g_strconcat ("x-api-key: ", kb_secret_get_text (target->key), NULL);
  if (line == NULL)
    return;
  add_header (self, line);
  kb_secret_wipe (line, strlen (line));
}

static void
set_headers (KbTransfer *self, const KbTransferRequest *request)
{
  add_header (self, "content-type: application/json");
  /* what is looked into and handed on as it is should not be compressed; where it is, it is
   * inflated */
  add_header (self, "accept-encoding: identity");
  add_header (self, "expect:");
  for (const char *const *line = request->headers; line != NULL && *line != NULL; line++)
    add_header (self, *line);
  for (char **line = request->target->headers; line != NULL && *line != NULL; line++)
    add_header (self, *line);
  add_key (self, request->target);
  curl_easy_setopt (self->easy, CURLOPT_HTTPHEADER, self->header_list);
}

static void
set_address (KbTransfer *self, const KbTransferRequest *request)
{
  if (request->path_suffix == NULL)
    curl_easy_setopt (self->easy, CURLOPT_URL, request->target->url);
  else
    {
      g_autofree char *url = g_strconcat (request->target->url, request->path_suffix, NULL);

      curl_easy_setopt (self->easy, CURLOPT_URL, url);
    }
}

/* A proxy's URL as people may see it. */
static char *
make_shown_proxy (const char *proxy)
{
  g_autoptr (GUri) uri = g_uri_parse (proxy, G_URI_FLAGS_HAS_PASSWORD, NULL);

  return uri != NULL ? g_uri_to_string_partial (uri, G_URI_HIDE_USERINFO) : NULL;
}

/* @proxy: (nullable): %NULL = none */
void
kb_transfer_set_proxy (KbTransfer *self, const char *proxy, KbProxyReason reason)
{
  /* an empty proxy keeps libcurl from asking the environment itself */
  curl_easy_setopt (self->easy, CURLOPT_PROXY, proxy != NULL ? proxy : "");
  self->proxy = proxy != NULL ? make_shown_proxy (proxy) : NULL;
  self->reason = reason;
}

/* The system's authorities, or those that the environment names as OpenSSL's tools have it. */
static void
set_trust (CURL *easy)
{
  const char *file = g_getenv ("SSL_CERT_FILE"), *folder = g_getenv ("SSL_CERT_DIR");

  if (file != NULL && *file != '\0')
    curl_easy_setopt (easy, CURLOPT_CAINFO, file);
  if (folder != NULL && *folder != '\0')
    curl_easy_setopt (easy, CURLOPT_CAPATH, folder);
}

/* What is the same for all transfers: setting it anew for each would cost as much as they do. */
void
kb_transfer_prepare (CURL *easy, KbUpstream *upstream)
{
  set_trust (easy);
  curl_easy_setopt (easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt (easy, CURLOPT_NOPROXY, "");
  curl_easy_setopt (easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt (easy, CURLOPT_HTTP_VERSION, (long) CURL_HTTP_VERSION_2TLS);
  curl_easy_setopt (easy, CURLOPT_ACCEPT_ENCODING, "gzip, deflate");
  curl_easy_setopt (easy, CURLOPT_HEADERFUNCTION, on_header);
  curl_easy_setopt (easy, CURLOPT_WRITEFUNCTION, on_data);
  curl_easy_setopt (easy, CURLOPT_OPENSOCKETFUNCTION, on_open);
  curl_easy_setopt (easy, CURLOPT_CLOSESOCKETFUNCTION, on_close);
  curl_easy_setopt (easy, CURLOPT_CLOSESOCKETDATA, upstream);
}

void
kb_transfer_set_up (KbTransfer *self, const KbTransferRequest *request)
{
  CURL *easy = self->easy;
  gsize length;
  const char *body = g_bytes_get_data (self->body, &length);

  set_address (self, request);
  set_headers (self, request);
  curl_easy_setopt (easy, CURLOPT_PRIVATE, self);
  curl_easy_setopt (easy, CURLOPT_ERRORBUFFER, self->error);
  curl_easy_setopt (easy, CURLOPT_POST, 1L);
  curl_easy_setopt (easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t) length);
  curl_easy_setopt (easy, CURLOPT_POSTFIELDS, body != NULL ? body : "");
  curl_easy_setopt (easy, CURLOPT_CONNECTTIMEOUT_MS, (long) request->connect_timeout_ms);
  curl_easy_setopt (easy, CURLOPT_HEADERDATA, self);
  curl_easy_setopt (easy, CURLOPT_WRITEDATA, self);
  curl_easy_setopt (easy, CURLOPT_OPENSOCKETDATA, self);
}

/* Nothing of the handle leads to the transfer any more. */
void
kb_transfer_let_go (KbTransfer *self)
{
  CURL *easy = self->easy;

  curl_easy_setopt (easy, CURLOPT_PRIVATE, NULL);
  curl_easy_setopt (easy, CURLOPT_ERRORBUFFER, NULL);
  curl_easy_setopt (easy, CURLOPT_POSTFIELDS, NULL);
  curl_easy_setopt (easy, CURLOPT_HTTPHEADER, NULL);
  curl_easy_setopt (easy, CURLOPT_HEADERDATA, NULL);
  curl_easy_setopt (easy, CURLOPT_WRITEDATA, NULL);
  curl_easy_setopt (easy, CURLOPT_OPENSOCKETDATA, NULL);
}

static KbTransportError
of_connect (KbTransfer *self)
{
  long number = 0;

  curl_easy_getinfo (self->easy, CURLINFO_OS_ERRNO, &number);
  if (number == ENETUNREACH || number == EHOSTUNREACH)
    return KB_TRANSPORT_NO_ROUTE;
  if (number == EMFILE || number == ENFILE || number == ENOBUFS)
    return KB_TRANSPORT_OWN_LIMIT;
  return KB_TRANSPORT_REFUSED;
}

static KbTransportError
error_of (KbTransfer *self, CURLcode code)
{
  switch ((int) code)
    {
    case CURLE_COULDNT_RESOLVE_HOST:
      return KB_TRANSPORT_RESOLVE;
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_PROXY:
      return KB_TRANSPORT_PROXY;
    case CURLE_COULDNT_CONNECT:
      return of_connect (self);
    case CURLE_OPERATION_TIMEDOUT:
      return KB_TRANSPORT_CONNECT_TIMEOUT;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
      return KB_TRANSPORT_TLS;
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_BAD_CONTENT_ENCODING:
    case CURLE_WRITE_ERROR:
      return KB_TRANSPORT_PROTOCOL;
    case CURLE_OUT_OF_MEMORY:
      return KB_TRANSPORT_OWN_LIMIT;
    default:
      return self->has_head ? KB_TRANSPORT_CUT : KB_TRANSPORT_RESET;
    }
}

static void
tell_end (KbTransfer *self, CURLcode code)
{
  KbTransferEnd end = { .ok = code == CURLE_OK && self->has_head };

  if (!end.ok)
    end.error = code == CURLE_OK ? KB_TRANSPORT_PROTOCOL : error_of (self, code);
  if (code != CURLE_OK)
    end.message = *self->error != '\0' ? self->error : curl_easy_strerror (code);
  if (self->is_own_port)
    end.message = "the address leads back to this gateway";
  if (!self->has_head)
    tell_route (self, end.error == KB_TRANSPORT_TLS ? end.message : NULL);
  if (!self->is_cancelled)
    {
      self->is_cancelled = TRUE;
      self->funcs.end (&end, self->user_data);
    }
}

/* Tells the end, unless nobody wants to know, and lets go of the transfer. */
void
kb_transfer_finish (KbTransfer *self, CURLcode code)
{
  if (!self->is_cancelled)
    tell_end (self, code);
  kb_transfer_free (self);
}
