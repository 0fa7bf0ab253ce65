import Logging
import Router

/// What the daemon is told. `Config/routerd.yaml` has each key with its default and a reason.
struct DaemonConfiguration: Sendable, Hashable {
  var socket: String
  /// The socket's permissions in the file system, and the group it is given; `nil` is the daemon's own.
  var socketMode: UInt32 = 0o600
  var socketGroup: UInt32?
  var database: String
  var durability = AuditLog.Durability.full
  var limits = PresentationSurfaces.Limits()
  var attachmentsPerMinute = 240
  var bodyBytes = 1 << 20
  /// How long a requester that was attached may take to come back with its key after a restart, in seconds.
  var graceSeconds = 10
  /// How many days the log keeps what has ended; 0 for ever.
  var retentionDays = 0
  var callbacks = CallbackSchedule.Rule()
  /// How long a try to call a program back may take, in seconds.
  var callbackTimeoutSeconds = 5
  /// Whether listeners of any user are called back, not only the requester's own.
  var callsAnyUser = false
  /// When requests of a user and app are turned away because people refuse them; never if `dismissals` is 0.
  var backoff = DismissalBackoff.Rule()
  var connections = ConnectionLimits()
  /// Where the page is served; `nil` for nowhere.
  var webAddress: WebAddress?
  var webSessionSeconds = 43_200
  var access = AccessPolicy()
  var forbidSelfAnswer = SelfAnswerRule.off
  var logLevel = Logger.Level.notice
  /// How long a clean shutdown may take, in seconds, before the daemon ends anyway.
  var shutdownSeconds = 2

  init(socket: String, database: String) {
    self.socket = socket
    self.database = database
  }
}
