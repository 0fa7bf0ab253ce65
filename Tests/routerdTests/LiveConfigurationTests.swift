import Logging
import Router
import Testing

@testable import routerd

struct LiveConfigurationTests {
  @Test func `a reload takes over what can change, and names what cannot`() {
    let old = DaemonConfiguration(socket: "/s", database: "/d")
    var new = DaemonConfiguration(socket: "/other", database: "/d")
    new.access[.present] = AccessPolicy.Grant(users: [7])
    new.forbidSelfAnswer = .user
    new.connections.total = 5
    new.logLevel = .debug
    new.limits.perUser = 1
    let live = LiveConfiguration(old)
    #expect(live.reload(new) == [.socket, .perUser])
    var expected = new
    expected.socket = old.socket
    expected.limits = old.limits
    #expect(live.current == expected)
    #expect(live.reload(expected) == [])
  }

  @Test func `every setting either changes with a reload or is named`() throws {
    // Each value here differs from its default.
    let changed: [Setting: (inout DaemonConfiguration) -> Void] = [
      .socket: { $0.socket = "/x" }, .socketMode: { $0.socketMode = 0o666 }, .socketGroup: { $0.socketGroup = 1 },
      .database: { $0.database = "/x" }, .durability: { $0.durability = .relaxed }, .logLevel: { $0.logLevel = .trace },
      .shutdownSeconds: { $0.shutdownSeconds = 9 }, .forbidSelfAnswer: { $0.forbidSelfAnswer = .user },
      .attachmentsPerMinute: { $0.attachments.perMinute = 1 },
      .perSurface: { $0.limits.perSurface = 1 }, .perUser: { $0.limits.perUser = 1 }, .total: { $0.limits.total = 1 },
      .stackDepth: { $0.limits.stackDepth = 0 }, .bodyBytes: { $0.bodyBytes = 2048 },
      .graceSeconds: { $0.graceSeconds = 1 }, .retentionDays: { $0.retentionDays = 1 },
      .callbackTries: { $0.callbacks.tries = 1 },
      .callbackTimeoutSeconds: { $0.callbackTimeoutSeconds = 1 }, .callbackAnyUser: { $0.callsAnyUser = true },
      .backoffRefusals: { $0.backoff?.refusals = 1 }, .backoffWindowSeconds: { $0.backoff?.window = .seconds(1) },
      .backoffFirstSeconds: { $0.backoff?.firstPause = .seconds(1) },
      .backoffLongestSeconds: { $0.backoff?.longestPause = .seconds(1) },
      .connectionsTotal: { $0.connections.total = 1 }, .connectionsPerUser: { $0.connections.perUser = 1 },
      .headerBytes: { $0.connections.headerBytes = 2048 }, .requestSeconds: { $0.connections.requestTime = .seconds(1) },
      .stallSeconds: { $0.connections.stallTime = .seconds(1) }, .unreadBytes: { $0.connections.unreadBytes = 1 },
      .webAddress: { $0.webAddress = try? WebAddress("127.0.0.1:1") }, .webSessionSeconds: { $0.webSessionSeconds = 60 },
      .request: { $0.access[.request] = AccessPolicy.Grant() }, .critical: { $0.access[.critical] = AccessPolicy.Grant() },
      .present: { $0.access[.present] = AccessPolicy.Grant() },
      .audit: { $0.access[.audit] = AccessPolicy.Grant() }, .admin: { $0.access[.admin] = AccessPolicy.Grant() },
    ]
    for setting in Setting.allCases {
      let old = DaemonConfiguration(socket: "/s", database: "/d")
      let live = LiveConfiguration(old)
      var new = old
      let change = try #require(changed[setting], "\(setting.rawValue)")
      change(&new)
      #expect(new != old, "\(setting.rawValue)")
      let waiting = live.reload(new)
      #expect(waiting == (live.current == new ? [] : [setting]), "\(setting.rawValue)")
    }
  }

  @Test func `the log's level is the configuration's, unless a logger has its own`() {
    let live = LiveConfiguration(DaemonConfiguration(socket: "/s", database: "/d"))
    var logger = Logger(label: "test") { LiveLogHandler(label: $0, configuration: live) }
    #expect(logger.logLevel == .notice)
    var new = live.current
    new.logLevel = .trace
    _ = live.reload(new)
    #expect(logger.logLevel == .trace)
    logger.logLevel = .error
    #expect(logger.logLevel == .error)
  }
}
