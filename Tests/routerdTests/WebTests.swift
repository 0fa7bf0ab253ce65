import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Router
import TestSupport
import Testing

@testable import routerd

struct WebAddressTests {
  @Test(arguments: [
    ("127.0.0.1:8170", "127.0.0.1:8170"), ("localhost:1", "127.0.0.1:1"), ("[::1]:65535", "[::1]:65535"),
  ])
  func `accepts a loopback address with a port`(text: String, address: String) throws {
    #expect(try WebAddress(text).description == address)
  }

  @Test(arguments: ["", "8170", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "0.0.0.0:1", "[::]:1", "router.example:1", ":1"])
  func `rejects any other address`(text: String) {
    #expect(throws: RouterError.self) { try WebAddress(text) }
  }

  @Test func `accepts authorities without the default port for port 80`() throws {
    #expect(try WebAddress("localhost:80").authorities == ["127.0.0.1:80", "localhost:80", "127.0.0.1", "localhost"])
    #expect(try WebAddress("[::1]:81").authorities == ["[::1]:81", "localhost:81"])
  }
}

struct WebPolicyTests {
  private let policy = WebPolicy(authorities: ["127.0.0.1:8170", "localhost:8170"])

  private func request(
    _ method: HTTPMethod, _ path: String, host: String? = "127.0.0.1:8170", _ headers: KeyValuePairs<String, String> = [:]
  ) throws -> Request {
    try Request.make(method, path, host: host, headers: headers.map { ($0, $1) })
  }

  @Test(arguments: [nil, "", "127.0.0.1", "127.0.0.1:8171", "attacker.example", "attacker.example:8170", "LOCALHOST.:8170"])
  func `rejects a host other than the page's`(host: String?) {
    #expect(throws: RouterError.self) { try policy.check(try request(.GET, "/", host: host)) }
  }

  @Test func `rejects requests from another origin`() throws {
    for origin in ["http://attacker.example", "http://127.0.0.1:9999", "https://127.0.0.1:8170", "null"] {
      for method in [HTTPMethod.GET, .POST] {
        #expect(throws: RouterError.self) { try policy.check(try request(method, "/v1/surfaces", ["origin": origin])) }
      }
    }
    #expect(throws: RouterError.self) { try policy.check(try request(.POST, "/v1/presentations/x/answer")) }
    try policy.check(try request(.POST, "/v1/presentations/x/answer", ["origin": "http://127.0.0.1:8170"]))
    try policy.check(
      request(.POST, "/v1/presentations/x/answer", host: "localhost:8170", ["origin": "http://localhost:8170"]))
  }

  @Test func `allows cross-site navigation to links only`() throws {
    for site in ["cross-site", "same-site"] {
      try policy.check(try request(.GET, "/open/0", ["sec-fetch-site": site, "sec-fetch-mode": "navigate"]))
      #expect(throws: RouterError.self) {
        try policy.check(try request(.GET, "/v1/log", ["sec-fetch-site": site, "sec-fetch-mode": "navigate"]))
      }
      #expect(throws: RouterError.self) {
        try policy.check(try request(.GET, "/main.js", ["sec-fetch-site": site, "sec-fetch-mode": "no-cors"]))
      }
    }
    try policy.check(try request(.GET, "/v1/log", ["sec-fetch-site": "same-origin", "sec-fetch-mode": "cors"]))
  }
}

struct WebSessionTests {
  private let key = WebKey(bytes: Array(repeating: 7, count: WebKey.byteCount))
  private let session = WebSession(
    peer: Peer(
      process: ProcessIdentity(uid: 1000, gid: 100, pid: 42, executable: "/usr/bin/routerctl", unit: "user@1000.service"),
      supplementaryGroups: [27, 100]),
    browser: 1000, end: 2_000_000_000)

  @Test func `restores a session from its cookie until it expires`() {
    let cookie = session.cookie(signedWith: key)
    #expect(cookie.utf8.allSatisfy { $0.isHexadecimal || $0 == UInt8(ascii: ".") })
    #expect(WebSession(cookie: cookie, signedWith: key, now: 1_999_999_999) == session)
    #expect(WebSession(cookie: cookie, signedWith: key, now: 2_000_000_000) == nil)
    #expect(WebSession(cookie: cookie.uppercased(), signedWith: key, now: 1_999_999_999) == nil)
  }

  @Test func `preserves the ancestry of the process that made the link`() {
    let ancestry = (1...16).map {
      ProcessIdentity.Ancestor(pid: 4_000_000 + $0, started: 123_456_789_012, executable: "/bin/sh")
    }
    let process = ProcessIdentity(uid: 1000, gid: 100, pid: 4_000_001, executable: "/bin/sh", ancestry: ancestry)
    let session = WebSession(peer: Peer(process: process), browser: 1000, end: 2_000_000_000)
    let cookie = session.cookie(signedWith: key)
    #expect(cookie.utf8.count < 3000)
    let read = WebSession(cookie: cookie, signedWith: key, now: 0)?.peer.process.ancestry
    var doubtful = process
    doubtful.executableDoubt = .otherNamespace
    let other = WebSession(peer: Peer(process: doubtful), browser: 1000, end: 2_000_000_000).cookie(signedWith: key)
    #expect(WebSession(cookie: other, signedWith: key, now: 0)?.peer.process.executableDoubt == .otherNamespace)
    #expect(read == ancestry.map { ProcessIdentity.Ancestor(pid: $0.pid, started: $0.started) })
  }

  @Test func `rejects a cookie signed with another key`() {
    let cookie = session.cookie(signedWith: WebKey(bytes: Array(repeating: 8, count: WebKey.byteCount)))
    #expect(WebSession(cookie: cookie, signedWith: key, now: 0) == nil)
  }

  @Test func `rejects a modified or truncated cookie`() {
    let cookie = Array(session.cookie(signedWith: key).utf8)
    for index in cookie.indices {
      for byte in [UInt8(ascii: "0"), UInt8(ascii: "f"), UInt8(ascii: "."), UInt8(ascii: "Z")] where byte != cookie[index] {
        var changed = cookie
        changed[index] = byte
        #expect(WebSession(cookie: String(decoding: changed, as: UTF8.self), signedWith: key, now: 0) == nil)
      }
      let short = String(decoding: cookie[..<index], as: UTF8.self)
      #expect(WebSession(cookie: short, signedWith: key, now: 0) == nil)
    }
  }

  /// The expected code was computed with Python's `hmac.new(bytes([7] * 32), text, "sha256")`.
  @Test func `signs cookies with HMAC-SHA-256`() {
    let text = """
      {"uid":1000,"gid":100,"pid":42,"executable":"/usr/bin/routerctl",\
      "unit":"user@1000.service","groups":[27,100],"browser":1000,"end":2000000000}
      """
    let code = "e965c46fbdc12cd8cec48237db57afee5331bdefd7ee1c1dd7f4dd19b745b378"
    let cookie = "\(Array(text.utf8).hexadecimal).\(code)"
    #expect(session.cookie(signedWith: key) == cookie)
    #expect(WebSession(cookie: cookie, signedWith: key, now: 0) == session)
  }
}

extension UInt8 {
  fileprivate var isHexadecimal: Bool { Character(Unicode.Scalar(self)).hexDigitValue != nil }
}

struct WebKeyTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test func `creates a key once, readable by its owner only`() throws {
    let path = directory.file("key")
    let key = try WebKey(path: path)
    #expect(try WebKey(path: path).bytes == key.bytes)
    #expect(Set(key.bytes).count > 4)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
  }

  @Test func `does not overwrite a file that is not a key`() throws {
    let path = try directory.write("too short", to: "key")
    #expect(throws: RouterError.self) { try WebKey(path: path) }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "too short")
  }
}

struct WebLinksTests {
  private let links: WebLinks
  private let peer = Peer(process: ProcessIdentity(uid: 5, gid: 5, pid: 5))

  init() throws {
    links = WebLinks(socket: try LoopbackSocket(try WebAddress("127.0.0.1:0")))
  }

  private func token(_ link: String) -> String { String(link.split(separator: "/").last ?? "") }

  @Test func `opens a link once`() {
    let link = links.link(for: peer, madeBy: 5)
    #expect(link.hasPrefix("http://\(links.address)/open/"))
    #expect(links.user(of: token(link) + "0") == nil)
    #expect(links.user(of: token(link)) == peer)
    links.remove(token(link))
    #expect(links.user(of: token(link)) == nil)
  }

  @Test func `expires a link that is not opened in time`() {
    let now = ContinuousClock.now
    let link = links.link(for: peer, madeBy: 5, at: now)
    #expect(links.user(of: token(link), at: now.advanced(by: WebLinks.lifetime)) == nil)
  }

  @Test func `drops the oldest of too many links by the same user`() {
    let other = links.link(for: peer, madeBy: 6)
    let all = (0...WebLinks.maximumPerUser).map { _ in links.link(for: peer, madeBy: 5) }
    #expect(links.user(of: token(all[0])) == nil)
    #expect(all.dropFirst().allSatisfy { links.user(of: token($0)) == peer })
    #expect(links.user(of: token(other)) != nil)
  }
}

// Promise P67.
struct WebAccessTests {
  private let links: WebLinks
  private let access: WebAccess
  private let peer = Peer(process: ProcessIdentity(uid: 4_000_000, gid: 5, pid: 5))

  init() throws {
    links = WebLinks(socket: try LoopbackSocket(try WebAddress("127.0.0.1:0")))
    access = WebAccess(
      links: links, key: WebKey(bytes: Array(repeating: 7, count: WebKey.byteCount)), sessionTime: .seconds(60),
      names: try UserNames())
  }

  /// Opens a link, by default with the page's own origin.
  private func open(
    _ path: String, _ method: HTTPMethod, from browser: UInt32?, origin: String? = nil
  ) throws -> Response {
    let host = "\(links.address)"
    let headers = method == .POST ? [("origin", origin ?? "http://\(host)")] : []
    guard
      case .response(let response) = access.decision(
        on: try .make(method, path, host: host, headers: headers), from: browser.map { LoopbackOwner(uid: $0, inode: 1) })
    else {
      Issue.record("it went on to the API")
      return Response(.ok)
    }
    return response
  }

  private func path() -> String { String(links.link(for: peer, madeBy: 5).trimmingPrefix("http://\(links.address)")) }

  @Test func `asks for confirmation with the user's name before opening a session`() throws {
    let path = path()
    for _ in 0..<2 {
      let question = try open(path, .GET, from: 4_000_000)
      #expect(question.status == .ok && question.headers["Set-Cookie"].isEmpty)
      #expect(String(buffer: question.body).contains("Open Router as uid 4000000?"))
    }
    let opened = try open(path, .POST, from: 4_000_000)
    #expect(opened.status == .seeOther && opened.headers["Set-Cookie"].count == 1)
    #expect(try open(path, .POST, from: 4_000_000).status == .gone)
  }

  @Test func `knows no process of a browser that hides from its user's daemon`() throws {
    let maker = Peer(process: ProcessIdentity(uid: geteuid(), gid: 5, lookingUp: getpid()))
    let path = String(links.link(for: maker, madeBy: geteuid()).trimmingPrefix("http://\(links.address)"))
    let cookie = try #require(try open(path, .POST, from: geteuid()).headers["Set-Cookie"].first)
    let value = try #require(cookie.firstMatch(of: /=([^;]+);/)?.output.1)
    let session = try #require(WebSession(cookie: String(value), signedWith: access.key, now: 0))
    #expect(session.peer.process == ProcessIdentity(uid: geteuid(), gid: 5, pid: 0))
  }

  @Test(arguments: [0, 4_000_001, nil] as [UInt32?])
  func `rejects another user's browser and keeps the link valid for its user`(browser: UInt32?) throws {
    let path = path()
    for method in [HTTPMethod.GET, .POST] {
      let response = try open(path, method, from: browser)
      #expect(response.status == .forbidden && response.headers["Set-Cookie"].isEmpty)
    }
    #expect(try open(path, .POST, from: 4_000_000).status == .seeOther)
  }

  @Test(arguments: ["null", "http://attacker.example"])
  func `accepts the confirmation from its own page only`(origin: String) throws {
    let path = path()
    #expect(try open(path, .POST, from: 4_000_000, origin: origin).status == .forbidden)
    #expect(try open(path, .POST, from: 4_000_000).status == .seeOther)
  }
}

// Promise P66.
struct LoopbackOwnerTests {
  @Test(arguments: ["127.0.0.1", "::1"])
  func `finds the owner of the other end of a connection`(host: String) async throws {
    let group = MultiThreadedEventLoopGroup.singleton
    let server = try await ServerBootstrap(group: group).bind(host: host, port: 0).get()
    let client = try await ClientBootstrap(group: group).connect(to: try #require(server.localAddress)).get()
    let local = try #require(client.localAddress?.loopback)
    let remote = try #require(client.remoteAddress?.loopback)
    let owner = try #require(LoopbackOwner(from: local, to: remote))
    #expect(owner.uid == ProcessIdentity.current.uid)
    let port = [local.port[0], local.port[1] ^ 1]
    let stranger = LoopbackOwner.End(family: local.family, address: local.address, port: port)
    #expect(LoopbackOwner(from: stranger, to: remote) == nil)
    try await client.close()
    try await server.close()
  }

  /// Succeeds a promise when the other side has closed its output, or the connection.
  private final class EndOfInput: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer
    private let promise: EventLoopPromise<Void>

    init(promise: EventLoopPromise<Void>) { self.promise = promise }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if let event = event as? ChannelEvent, event == .inputClosed { promise.succeed() }
      context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
      promise.succeed()
      context.fireChannelInactive()
    }
  }

  /// A closing socket has no owner. The kernel reports its uid as 0, which is root's.
  @Test(arguments: ["127.0.0.1", "::1"], [true, false])
  func `finds no owner of a closed connection`(host: String, closesTheirsFirst: Bool) async throws {
    let group = MultiThreadedEventLoopGroup.singleton
    let accepted = group.next().makePromise(of: (any Channel).self)
    let closed = group.next().makePromise(of: Void.self)
    let server = try await ServerBootstrap(group: group)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelInitializer { channel in
        accepted.succeed(channel)
        return channel.pipeline.addHandler(EndOfInput(promise: closed))
      }
      .bind(host: host, port: 0).get()
    let client = try await ClientBootstrap(group: group)
      .channelOption(.allowRemoteHalfClosure, value: true)
      .connect(to: try #require(server.localAddress)).get()
    let (theirs, ours) = (try #require(client.localAddress?.loopback), try #require(client.remoteAddress?.loopback))
    let own = try await accepted.futureResult.get()
    if closesTheirsFirst {
      // Half-closed, then closed: TIME_WAIT remains on the side that closed first. A child of another test may keep the socket
      // open until it executes its program, so wait until this side sees the end.
      try await client.close()
      try await closed.futureResult.get()
      #expect(LoopbackOwner(from: theirs, to: ours) == nil)
      try await own.close()
      #expect(LoopbackOwner(from: theirs, to: ours) == nil)
    } else {
      // We have closed our side, and theirs is still open.
      try await own.close(mode: .output)
      try await own.close()
      #expect(LoopbackOwner(from: theirs, to: ours) == nil)
      try await client.close()
      #expect(LoopbackOwner(from: theirs, to: ours) == nil)
    }
    try await server.close()
  }

  @Test func `recognizes loopback addresses only`() throws {
    #expect(try SocketAddress(ipAddress: "127.0.0.2", port: 80).loopback?.address == [127, 0, 0, 2])
    #expect(try SocketAddress(ipAddress: "192.0.2.1", port: 1).loopback == nil)
    #expect(try SocketAddress(ipAddress: "2001:db8::1", port: 1).loopback == nil)
    #expect(try SocketAddress(unixDomainSocketPath: "/s").loopback == nil)
  }
}
