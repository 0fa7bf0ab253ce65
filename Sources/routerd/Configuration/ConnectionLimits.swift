struct ConnectionLimits: Sendable, Hashable {
  var total = 32768
  var perUser = 16384
  /// The maximum size of a request line and header fields, in bytes.
  var headerBytes = 65536
  /// The time limit for a request head, since the connection or the previous response, and for the body.
  var requestTime = Duration.seconds(30)
  /// The time for which a client may leave data unread before it is disconnected.
  var stallTime = Duration.seconds(30)
  /// The maximum number of unread bytes of a stream.
  var unreadBytes = 4 << 20
}
