import FoundationEssentials
import Glibc
import Router
import Testing

@testable import RouterClient

/// Calls to a listener that lets everybody in and reads nothing.
@Suite(.timeLimit(.minutes(20)))
struct SilentListenerTests {
  private let path: String
  private let descriptor: CInt

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(component: "router-\(UUID().uuidString.prefix(8))").path
    descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    let code = try UnixSocketAddress(path: path).withPointer { bind(descriptor, $0, $1) }
    try #require(code == 0 && listen(descriptor, 8) == 0)
  }

  private func end() {
    close(descriptor)
    unlink(path)
  }

  /// The next connection. It does not block: whoever connects may need the thread.
  private func accepted() async throws -> CInt {
    try await SocketReadiness.shared.wait(for: descriptor, .reading)
    let connection = accept(descriptor, nil, nil)
    try #require(connection >= 0)
    return connection
  }

  @Test func `a call that it does not take is given up when its task is cancelled`() async throws {
    defer { end() }
    let http = UnixSocketHTTP(path: path)
    // More than the kernel takes for it, and as much as it takes at once.
    for size in [16 << 20, 1] {
      let calling = Task { try await http.reply(to: HTTPCall(.POST, "/", body: [UInt8](repeating: 0, count: size))) }
      let connection = try await accepted()
      calling.cancel()
      await #expect(throws: CancellationError.self) { try await calling.value }
      close(connection)
    }
  }

  @Test func `it is heard as lost when it closes without a word`() async throws {
    defer { end() }
    let http = UnixSocketHTTP(path: path)
    let calling = Task { try await http.reply(to: HTTPCall(.POST, "/", body: [UInt8](repeating: 0, count: 16 << 20))) }
    close(try await accepted())
    let error = await #expect(throws: RouterError.self) { try await calling.value }
    #expect(error?.code == .unreachable)
  }

  @Test func `what it says before it has read a call is its reply`() async throws {
    defer { end() }
    let http = UnixSocketHTTP(path: path)
    let calling = Task { try await http.reply(to: HTTPCall(.POST, "/", body: [UInt8](repeating: 0, count: 16 << 20))) }
    let connection = try await accepted()
    let reply = "HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n"
    #expect(send(connection, reply, reply.utf8.count, CInt(MSG_NOSIGNAL)) == reply.utf8.count)
    shutdown(connection, CInt(SHUT_RD))
    #expect(try await calling.value.status == 413)
    close(connection)
  }

  @Test func `what would end a line is not sent`() async throws {
    defer { end() }
    let http = UnixSocketHTTP(path: path)
    for call in [
      HTTPCall(.GET, "/ HTTP/1.1\r\nX: y"), HTTPCall(.GET, "/", headers: ["Idempotency-Key": "a\r\nPrefer: wait=0"]),
    ] {
      let error = await #expect(throws: RouterError.self) { try await http.reply(to: call) }
      #expect(error?.code == .invalid)
    }
  }
}
