// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Koboshi authors

#include "gateway/kb-socket-owner.h"

#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

typedef struct
{
  struct nlmsghdr header;
  struct inet_diag_req_v2 request;
} Question;

/* The peer's own socket: its local address is the remote one of ours. */
static gboolean
fill (Question *question,
      const struct sockaddr_storage *theirs,
      const struct sockaddr_storage *ours)
{
  struct inet_diag_sockid *id = &question->request.id;

  if (theirs->ss_family == AF_INET)
    {
      const struct sockaddr_in *from = (const void *) theirs, *to = (const void *) ours;

      id->idiag_sport = from->sin_port;
      id->idiag_dport = to->sin_port;
      memcpy (id->idiag_src, &from->sin_addr, 4);
      memcpy (id->idiag_dst, &to->sin_addr, 4);
    }
  else if (theirs->ss_family == AF_INET6)
    {
      const struct sockaddr_in6 *from = (const void *) theirs, *to = (const void *) ours;

      id->idiag_sport = from->sin6_port;
      id->idiag_dport = to->sin6_port;
      memcpy (id->idiag_src, &from->sin6_addr, 16);
      memcpy (id->idiag_dst, &to->sin6_addr, 16);
    }
  else
    return FALSE;
  question->request.sdiag_family = theirs->ss_family;
  id->idiag_cookie[0] = id->idiag_cookie[1] = INET_DIAG_NOCOOKIE;
  return TRUE;
}

static void
read_reply (const char *bytes, gssize length, KbPeer *peer)
{
  const struct nlmsghdr *header = (const void *) bytes;
  const struct inet_diag_msg *found;

  if (length < (gssize) (sizeof *header + sizeof *found)
      || header->nlmsg_type != SOCK_DIAG_BY_FAMILY)
    return;
  found = (const void *) (bytes + NLMSG_HDRLEN);
  peer->owner = found->idiag_uid == getuid () ? KB_OWNER_SELF : KB_OWNER_OTHER;
  peer->inode = found->idiag_inode;
}

static void
ask (const Question *question, KbPeer *peer)
{
  struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
  _Alignas (struct nlmsghdr) char reply[1024];
  int fd = socket (AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);

  if (fd < 0)
    return;
  /* the kernel answers within the call that asks */
  if (sendto (fd, question, sizeof *question, 0, (struct sockaddr *) &kernel, sizeof kernel) > 0)
    read_reply (reply, recv (fd, reply, sizeof reply, MSG_DONTWAIT), peer);
  close (fd);
}

/**
 * kb_socket_owner_find_peer:
 * @fd: a connection that was accepted
 * @peer: (out): who holds its other end; unknown where that is on another machine
 */
void
kb_socket_owner_find_peer (int fd, KbPeer *peer)
{
  Question question = {
    .header = { .nlmsg_len = sizeof question,
                .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                .nlmsg_flags = NLM_F_REQUEST },
    .request = { .sdiag_protocol = IPPROTO_TCP, .idiag_states = ~0u },
  };
  struct sockaddr_storage theirs = { 0 }, ours = { 0 };
  socklen_t length = sizeof theirs;

  *peer = (KbPeer) { .owner = KB_OWNER_UNKNOWN };
  if (getpeername (fd, (struct sockaddr *) &theirs, &length) != 0)
    return;
  length = sizeof ours;
  if (getsockname (fd, (struct sockaddr *) &ours, &length) == 0 && fill (&question, &theirs, &ours))
    ask (&question, peer);
}
