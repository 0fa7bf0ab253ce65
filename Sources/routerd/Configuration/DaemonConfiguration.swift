import Logging
import Router
import RouterConfiguration

/// The daemon's configuration. `Config/routerd.yaml` documents each key with its default.
struct DaemonConfiguration: Sendable, Hashable {
  var socket: String
  /// The file mode of the socket.
  var socketMode: UInt32 = 0o600
  /// The group of the socket's file; `nil` for the daemon's.
  var socketGroup: UInt32?
  var database: String
  var durability = AuditLog.Durability.full
  var limits = Presentation.Limits()
  var attachmentsPerMinute = 240
  var bodyBytes = 1 << 20
  /// How long an attached requester may take to reconnect with its key after a restart, in seconds.
  var graceSeconds = 10
  /// How many days the log keeps ended presentations; 0 for no limit.
  var retentionDays = 0
  var journal = Journal()
  var callbacks = CallbackSchedule.Rule()
  /// The timeout of a callback attempt, in seconds.
  var callbackTimeoutSeconds = 5
  /// Whether callbacks may go to listeners of any user, not only of the requester.
  var callsAnyUser = false
  /// The backoff rule for requests of a user and app that people keep refusing; disabled if `dismissals` is 0.
  var backoff = DismissalBackoff.Rule()
  /// How answers are remembered.
  var grants = GrantPolicy(longest: .seconds(43_200))
  /// The people who may give answers that need several.
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

  init(socket: String, database: String) {
    self.socket = socket
    self.database = database
  }

  /// The file of the rules.
  struct Rules: Sendable, Hashable {
    /// The file, which must exist; `nil` for the default file, which may be missing.
    var file: String?
    /// `rules.yaml` beside the configuration file.
    var defaultFile = "/etc/routerd/rules.yaml"
    /// Who lets a changed file count (default: by its owner).
    var confirmation: Rulebook.Confirmation?

    /// The default file is not a setting; it follows from the place of the configuration file.
    static func == (left: Rules, right: Rules) -> Bool {
      (left.file, left.confirmation) == (right.file, right.confirmation)
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(file)
      hasher.combine(confirmation)
    }

    var source: RulesSource { RulesSource(path: file ?? defaultFile, mayBeMissing: file == nil) }
  }

  /// What systemd's journal gets.
  struct Journal: Sendable, Hashable {
    static let systemSocket = "/run/systemd/journal/socket"

    /// The journal's socket; `nil` to send nothing.
    var socket: String?
    /// Whether entries have what was asked and answered.
    var hasTexts = false
  }

  /// The surfaces that this host shares with others.
  struct SharedSurfaces: Sendable, Hashable {
    /// The connection string or URI of the PostgreSQL database; `nil` to share none.
    var database: String?
    /// Names, or patterns as in glob(7).
    var surfaces: [String] = []
    /// This host's name (default: the kernel's).
    var host: String?
    /// How long a host may be silent before it counts as gone.
    var silence = Duration.seconds(5)
    /// How many of them may be in use at once.
    var limit = 256
    /// The people who have accounts on several hosts.
    var people = People()
  }
}
