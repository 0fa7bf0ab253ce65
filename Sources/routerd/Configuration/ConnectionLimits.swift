struct ConnectionLimits: Sendable, Hashable {
  var total = 32768
  var perUser = 16384
  /// The maximum size of a request line and header fields, in bytes.
  var headerBytes = 65536
  /// How long a request head may take to arrive, since the connection or the previous response; and then its body.
  var requestTime = Duration.seconds(30)
  /// How long a client may leave pending data unread before it is disconnected.
  var stallTime = Duration.seconds(30)
  /// The maximum number of unread bytes of a stream.
  var unreadBytes = 4 << 20
}
