import Logging
import Router
import RouterConfiguration

/// The daemon's configuration. `Config/routerd.yaml` documents each key with its default.
struct DaemonConfiguration: Sendable, Hashable {
  var socket: String
  /// The socket whose callers can only ask; `nil` without one.
  var askSocket: String?
  /// The file mode of the socket.
  var socketMode: UInt32 = 0o600
  /// The group of the socket's file; `nil` for the daemon's group.
  var socketGroup: UInt32?
  var database: String
  var durability = AuditLog.Durability.full
  var limits = Presentation.Limits()
  var attachmentsPerMinute = 240
  var bodyBytes = 1 << 20
  /// The time for an attached requester to reconnect with its key after a restart, in seconds.
  var graceSeconds = 10
  /// The number of days that the log keeps ended presentations; 0 for no limit.
  var retentionDays = 0
  var journal = Journal()
  var callbacks = CallbackSchedule.Rule()
  /// The timeout of a callback attempt, in seconds.
  var callbackTimeoutSeconds = 5
  /// Whether callbacks may go to listeners of any user, not only the requester's.
  var callsAnyUser = false
  /// The backoff rule for requests of a user and app that people keep refusing; disabled if `dismissals` is 0.
  var backoff = DismissalBackoff.Rule()
  /// The settings of remembered answers.
  var grants = GrantPolicy(longest: .seconds(43_200))
  /// The approvers for requests that need several people.
  var approvers = Approvers()
  var rules = Rules()
  var connections = ConnectionLimits()
  /// The address of the page; `nil` to serve no page.
  var webAddress: WebAddress?
  var webSessionSeconds = 43_200
  var access = AccessPolicy()
  var forbidSelfAnswer = SelfAnswerRule.off
  var shared = SharedSurfaces()
  var logLevel = Logger.Level.notice
  /// The time limit of a graceful shutdown, in seconds.
  var shutdownSeconds = 2
  /// How long nobody is connected and nothing is open before the daemon exits; 0: it stays.
  var idleSeconds = 0

  init(socket: String, database: String) {
    self.socket = socket
    self.database = database
  }

  /// The settings of the rules file.
  struct Rules: Sendable, Hashable {
    /// The path, which must exist; `nil` for the default file, which may be missing.
    var file: String?
    /// `rules.yaml` beside the configuration file.
    var defaultFile = "/etc/routerd/rules.yaml"
    /// The people who may confirm a changed rules file (default: depends on its owner).
    var confirmation: Rulebook.Confirmation?

    /// Ignores the default file, which is not a setting: it follows from the location of the configuration file.
    static func == (left: Rules, right: Rules) -> Bool {
      (left.file, left.confirmation) == (right.file, right.confirmation)
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(file)
      hasher.combine(confirmation)
    }

    var source: RulesSource { RulesSource(path: file ?? defaultFile, mayBeMissing: file == nil) }
  }

  /// The settings for systemd's journal.
  struct Journal: Sendable, Hashable {
    static let systemSocket = "/run/systemd/journal/socket"

    /// The journal's socket; `nil` to send nothing.
    var socket: String?
    /// Whether entries include the texts of requests and answers.
    var hasTexts = false
  }

  /// The surfaces that this host shares with others.
  struct SharedSurfaces: Sendable, Hashable {
    /// The connection string or URI of the PostgreSQL database; `nil` without shared surfaces.
    var database: String?
    /// Names, or patterns in the syntax of glob(7).
    var surfaces: [String] = []
    /// This host's name (default: the kernel's).
    var host: String?
    /// The time without contact after which a host counts as lost.
    var silence = Duration.seconds(5)
    /// The maximum number of shared surfaces in use.
    var limit = 256
    /// The people who have accounts on several hosts.
    var people = People()
  }
}
