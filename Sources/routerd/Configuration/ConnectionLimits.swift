struct ConnectionLimits: Sendable, Hashable {
  var total = 32768
  var perUser = 16384
  /// The most that a request's line and header fields may hold, in bytes.
  var headerBytes = 65536
  /// How long a request's head may take to arrive, from the connection's start or the response before, and then its body.
  var requestTime = Duration.seconds(30)
  /// How long a client may take nothing of what waits for it.
  var stallTime = Duration.seconds(30)
  /// How much a stream's client may leave unread, in bytes.
  var unreadBytes = 4 << 20
}
