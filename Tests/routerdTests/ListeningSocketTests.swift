import FoundationEssentials
import Glibc
import Router
import TestSupport
import Testing

@testable import routerd

struct ListeningSocketTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func mode(of path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode : nil
  }

  private func address(_ path: String) -> sockaddr_un {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return address
  }

  private func call(_ path: String, _ function: (CInt, UnsafePointer<sockaddr>, socklen_t) -> CInt) -> Bool {
    let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    var address = address(path)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
  }

  /// Whether a socket listens at the path.
  private func answers(_ path: String) -> Bool { call(path, connect) }

  private func refusal(_ path: String) throws -> String {
    try #require(throws: RouterError.self) { _ = try ListeningSocket(path: path) }.message
  }

  @Test func `listens for its own user only and is not inherited by children`() throws {
    let path = directory.file("a.sock")
    let socket = try ListeningSocket(path: path)
    defer { close(socket.descriptor) }
    #expect(answers(path))
    #expect(mode(of: path).map { $0 & 0o777 } == 0o600)
    #expect(fcntl(socket.descriptor, F_GETFD) & FD_CLOEXEC != 0)
    socket.remove()
    #expect(mode(of: path) == nil)
  }

  @Test func `has its final mode before it appears under its name`() throws {
    let watch = inotify_init1(CInt(IN_NONBLOCK))
    defer { close(watch) }
    inotify_add_watch(watch, directory.path, UInt32(IN_CREATE | IN_ATTRIB | IN_MOVED_TO))
    let path = directory.file("a.sock")
    let socket = try ListeningSocket(path: path)
    defer { close(socket.descriptor) }
    // Created under another name and moved. A later mode change would cause another event.
    #expect(
      events(watch) == [
        Event(mask: IN_CREATE, name: "a.sock.lock"), Event(mask: IN_CREATE, name: "a.sock.new"),
        Event(mask: IN_MOVED_TO, name: "a.sock"),
      ])
    #expect(mode(of: path).map { $0 & 0o777 } == 0o600)
  }

  private struct Event: Hashable {
    let mask: UInt32
    let name: String

    init(mask: some BinaryInteger, name: String) {
      self.mask = UInt32(mask)
      self.name = name
    }
  }

  private func events(_ watch: CInt) -> [Event] {
    var events: [Event] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(watch, &buffer, buffer.count)
    var offset = 0
    buffer.withUnsafeBytes { bytes in
      while offset < count {
        let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
        let start = offset + MemoryLayout<inotify_event>.size
        let name = bytes[start..<start + Int(event.len)].prefix { $0 != 0 }
        events.append(Event(mask: event.mask, name: String(decoding: name, as: UTF8.self)))
        offset = start + Int(event.len)
      }
    }
    return events
  }

  @Test func `rejects a second socket while the first keeps listening`() throws {
    let path = directory.file("a.sock")
    let first = try ListeningSocket(path: path)
    defer { close(first.descriptor) }
    #expect(try refusal(path).contains("is running and using it (pid \(getpid()))"))
    #expect(answers(path))
  }

  @Test func `replaces a stale socket`() throws {
    let path = directory.file("a.sock")
    #expect(call(path, bind))
    #expect(!answers(path))
    let socket = try ListeningSocket(path: path)
    defer { close(socket.descriptor) }
    #expect(answers(path))
  }

  @Test func `replaces the temporary socket of a killed daemon`() throws {
    let path = directory.file("a.sock")
    #expect(call(path + ".new", bind))
    let socket = try ListeningSocket(path: path)
    defer { close(socket.descriptor) }
    #expect(answers(path))
    #expect(mode(of: path + ".new") == nil)
  }

  @Test func `rejects a path with a regular file and leaves the file alone`() throws {
    let path = try directory.write("mine", to: "a.sock")
    #expect(try refusal(path).contains("a file that is not a socket is there"))
    #expect(try String(contentsOf: URL(filePath: path), encoding: .utf8) == "mine")
  }

  @Test func `does not follow a symbolic link`() throws {
    let path = directory.file("a.sock")
    symlink(directory.file("elsewhere.sock"), path)
    #expect(try refusal(path).contains("not a socket"))
  }

  @Test func `accepts paths up to the kernel's limit minus the temporary suffix`() throws {
    let longest = directory.path + "/" + String(repeating: "s", count: 103 - directory.path.utf8.count - 1)
    let socket = try ListeningSocket(path: longest)
    defer { close(socket.descriptor) }
    #expect(answers(longest))
    #expect(try refusal(longest + "s").contains("at most 103 bytes"))
  }

  @Test func `creates its directory for its own user only`() throws {
    let path = directory.file("run/a.sock")
    let socket = try ListeningSocket(path: path)
    defer { close(socket.descriptor) }
    #expect(mode(of: directory.file("run")).map { $0 & 0o777 } == 0o700)
  }

  // MARK: Shared access

  @Test func `sets a shared mode before naming the socket, whatever the umask`() throws {
    let watch = inotify_init1(CInt(IN_NONBLOCK))
    defer { close(watch) }
    try FileManager.default.createDirectory(atPath: directory.file("run"), withIntermediateDirectories: true)
    inotify_add_watch(watch, directory.file("run"), UInt32(IN_CREATE | IN_ATTRIB | IN_MOVED_TO))
    let path = directory.file("run/a.sock")
    let socket = try ListeningSocket(path: path, mode: 0o666, group: getgid())
    defer { close(socket.descriptor) }
    #expect(mode(of: path).map { $0 & 0o777 } == 0o666)
    #expect(events(watch).last == Event(mask: IN_MOVED_TO, name: "a.sock"))
  }

  @Test func `creates a traversable directory for a shared socket`() throws {
    let path = directory.file("shared/a.sock")
    let socket = try ListeningSocket(path: path, mode: 0o660)
    defer { close(socket.descriptor) }
    #expect(mode(of: directory.file("shared")).map { $0 & 0o777 } == 0o755)
  }

  @Test(.enabled(if: geteuid() == 0, "only root may give a file to any group"))
  func `assigns the socket to a group`() throws {
    let path = directory.file("a.sock")
    let socket = try ListeningSocket(path: path, mode: 0o660, group: 54321)
    defer { close(socket.descriptor) }
    var status = stat()
    #expect(lstat(path, &status) == 0 && status.st_gid == 54321)
  }

  // MARK: Inherited sockets

  /// A socket bound to a path, as created by a service manager.
  private func bound(_ path: String) throws -> CInt {
    let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    var address = address(path)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(result == 0)
    return descriptor
  }

  @Test func `keeps the name of an inherited socket`() throws {
    let path = directory.file("a.sock")
    let descriptor = try bound(path)
    defer { close(descriptor) }
    // It must listen already.
    #expect(throws: RouterError.self) { try InheritedSocket(checking: descriptor) }
    try #require(listen(descriptor, 1) == 0)
    let socket = ListeningSocket(inherited: try InheritedSocket(checking: descriptor))
    #expect(socket.path == path && socket.descriptor == descriptor)
    socket.remove()
    #expect(answers(path))
    #expect(mode(of: path + ".lock") == nil)
  }

  @Test func `makes no lock for the socket for asking, replaces a stale one, and removes it`() throws {
    let path = directory.file("ask/s")
    for _ in 0..<2 { _ = try ListeningSocket(path: path, isLocked: false) }
    let socket = try ListeningSocket(path: path, isLocked: false)
    #expect(answers(path))
    #expect(mode(of: path) == S_IFSOCK | 0o600 && mode(of: path + ".lock") == nil)
    socket.remove()
    #expect(mode(of: path) == nil)
  }

  @Test func `rejects a descriptor that is not a listening Unix socket`() throws {
    var ends: [CInt] = [-1, -1]
    try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    let error = #expect(throws: RouterError.self) { try InheritedSocket(checking: ends[0]) }
    #expect(error?.message.contains("not a listening Unix socket") == true)
    #expect(throws: RouterError.self) { try InheritedSocket(checking: 1000) }
  }

  @Test func `chooses the inherited socket with the daemon's name`() {
    #expect(InheritedSocket.choose(count: 1, names: ["anything"]) == 0)
    #expect(InheritedSocket.choose(count: 1, names: []) == 0)
    #expect(InheritedSocket.choose(count: 3, names: ["web", "routerd", "x"]) == 1)
    #expect(InheritedSocket.choose(count: 2, names: ["web.socket", "routerd.socket"]) == 1)
    #expect(InheritedSocket.choose(count: 2, names: ["routerd", "routerd.socket"]) == nil)
    #expect(InheritedSocket.choose(count: 2, names: ["web", "x", "routerd"]) == nil)
    #expect(InheritedSocket.choose(count: 2, names: []) == nil)
  }
}
