import Logging
import Router
import Testing

@testable import routerd

struct LiveConfigurationTests {
  @Test func `applies changeable settings on reload and reports the others`() {
    let old = DaemonConfiguration(socket: "/s", database: "/d")
    var new = DaemonConfiguration(socket: "/other", database: "/d")
    new.access[.present] = AccessPolicy.Grant(users: [7])
    new.forbidSelfAnswer = .user
    new.connections.total = 5
    new.logLevel = .debug
    new.limits.perUser = 1
    let live = LiveConfiguration(old)
    #expect(live.reload(new) == ["socket", "limits.perUser"])
    var expected = new
    expected.socket = old.socket
    expected.limits = old.limits
    #expect(live.current == expected)
    #expect(live.reload(expected) == [])
  }

  @Test func `reports a changed password of the shared database`() {
    var old = DaemonConfiguration(socket: "/s", database: "/d")
    old.shared.database = "postgresql://alpha:old@db/router"
    var new = old
    new.shared.database = "postgresql://alpha:new@db/router"
    #expect(LiveConfiguration(old).reload(new) == ["shared.database"])
  }

  @Test func `either applies or reports each setting`() throws {
    // Each value here differs from its default.
    let changed: [String: (inout DaemonConfiguration) -> Void] = [
      "socket": { $0.socket = "/x" }, "askSocket": { $0.askSocket = "/x" }, "socketMode": { $0.socketMode = 0o666 },
      "socketGroup": { $0.socketGroup = 1 },
      "database": { $0.database = "/x" }, "durability": { $0.durability = .relaxed }, "logLevel": { $0.logLevel = .trace },
      "shutdownSeconds": { $0.shutdownSeconds = 9 }, "idleSeconds": { $0.idleSeconds = 9 },
      "forbidSelfAnswer": { $0.forbidSelfAnswer = .user },
      "limits.attachmentsPerMinute": { $0.attachmentsPerMinute = 1 },
      "limits.perSurface": { $0.limits.perSurface = 1 }, "limits.perUser": { $0.limits.perUser = 1 },
      "limits.bytesPerUser": { $0.limits.bytesPerUser = 65536 },
      "limits.total": { $0.limits.total = 1 },
      "limits.stackDepth": { $0.limits.stackDepth = 0 }, "limits.bodyBytes": { $0.bodyBytes = 2048 },
      "graceSeconds": { $0.graceSeconds = 1 }, "retentionDays": { $0.retentionDays = 1 },
      "callbacks.tries": { $0.callbacks.tries = 1 },
      "callbacks.timeoutSeconds": { $0.callbackTimeoutSeconds = 1 }, "callbacks.anyUser": { $0.callsAnyUser = true },
      "backoff.dismissals": { $0.backoff.dismissals = 1 },
      "backoff.requests": { $0.backoff.requests = 1 }, "backoff.windowSeconds": { $0.backoff.window = .seconds(1) },
      "backoff.firstSeconds": { $0.backoff.firstDelay = .seconds(1) },
      "backoff.longestSeconds": { $0.backoff.longestDelay = .seconds(1) },
      "connections.total": { $0.connections.total = 1 }, "connections.perUser": { $0.connections.perUser = 1 },
      "connections.headerBytes": { $0.connections.headerBytes = 2048 },
      "connections.requestSeconds": { $0.connections.requestTime = .seconds(1) },
      "connections.stallSeconds": { $0.connections.stallTime = .seconds(1) },
      "connections.unreadBytes": { $0.connections.unreadBytes = 1 },
      "web.address": { $0.webAddress = try? WebAddress("127.0.0.1:1") }, "web.sessionSeconds": { $0.webSessionSeconds = 60 },
      "shared.database": { $0.shared.database = "dbname=x" }, "shared.surfaces": { $0.shared.surfaces = ["x"] },
      "shared.host": { $0.shared.host = "x" }, "shared.silenceSeconds": { $0.shared.silence = .seconds(9) },
      "shared.limit": { $0.shared.limit = 9 },
      "shared.people": { _ = $0.shared.people.add(Owner(host: "alpha", uid: 1), of: "ada") },
      "log.journal": { $0.journal.socket = "/x" }, "log.journalTexts": { $0.journal.hasTexts = true },
      "approvers": { $0.approvers.lists = ["ops": .init(users: [1])] }, "rules.file": { $0.rules.file = "/r" },
      "rules.confirm": { $0.rules.confirmation = Rulebook.Confirmation.none },
      "grants.longestSeconds": { $0.grants.longest = .seconds(1) }, "grants.perUser": { $0.grants.perUser = 1 },
      "grants.always": { $0.grants.always = true }, "grants.checksPrograms": { $0.grants.checksPrograms = true },
      "grants.unusedDays": { $0.grants.unusedDays = 1 },
      "grants.perMinute": { $0.grants.perMinute = 1 }, "grants.verbs": { $0.grants.verbs = ["deploy"] },
      "grants.prefixes": { try? $0.grants.commands.add("my-tool status") },
      "access.grant": { $0.access[.grant] = AccessPolicy.Grant() },
      "access.ask": { $0.access[.ask] = AccessPolicy.Grant() },
      "access.request": { $0.access[.request] = AccessPolicy.Grant() },
      "access.critical": { $0.access[.critical] = AccessPolicy.Grant() },
      "access.present": { $0.access[.present] = AccessPolicy.Grant() },
      "access.audit": { $0.access[.audit] = AccessPolicy.Grant() },
      "access.admin": { $0.access[.admin] = AccessPolicy.Grant() },
    ]
    for setting in Setting.all {
      let old = DaemonConfiguration(socket: "/s", database: "/d")
      let live = LiveConfiguration(old)
      var new = old
      let change = try #require(changed[setting.name], "\(setting.name)")
      change(&new)
      #expect(new != old, "\(setting.name)")
      let waiting = live.reload(new)
      #expect(waiting == (live.current == new ? [] : [setting.name]), "\(setting.name)")
    }
  }

  @Test func `uses the configured log level unless a logger sets its own`() {
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
