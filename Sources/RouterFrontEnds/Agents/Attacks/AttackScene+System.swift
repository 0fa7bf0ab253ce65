import FoundationEssentials
import Glibc
import Router
import RouterClient
import RouterCommandLine

/// Attempts that go around the daemon.
extension AttackScene {
  /// Opens the first file that can be opened, without reading or changing it. A directory counts if files can be created in it.
  func open(_ paths: [String], _ how: CInt) -> Attack.Result {
    var reasons: [String] = []
    for path in paths {
      var status = stat()
      let isDirectory = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      let descriptor = isDirectory ? access(path, W_OK) : Glibc.open(path, how | O_CLOEXEC | O_NONBLOCK)
      if descriptor < 0 {
        reasons.append(Self.reason(path))
        continue
      }
      if !isDirectory { close(descriptor) }
      return .succeeded(path)
    }
    return reasons.isEmpty ? .untried("there is none") : .failed(reasons.joined(separator: "; "))
  }

  /// Opens the database in the file system of another process, where it may be visible.
  func openThroughProcesses() -> Attack.Result {
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { Int32($0) } ?? []
    for process in processes.sorted() where process != getpid() {
      let result = open(["/proc/\(process)/root\(database)"], O_RDONLY)
      if case .succeeded = result { return result }
    }
    return .failed("no process shows it")
  }

  func openMemory() -> Attack.Result {
    withDaemon { open(["/proc/\($0)/mem"], O_RDONLY) }
  }

  /// Checks whether this process may send signals to the daemon.
  func signalDaemon() -> Attack.Result {
    withDaemon { kill($0, 0) == 0 ? .succeeded("process \($0)") : .failed(Self.reason("process \($0)")) }
  }

  private func withDaemon(_ body: (pid_t) -> Attack.Result) -> Attack.Result {
    guard let descriptor = SSHAgentSocket.connect(to: client.socketPath) else {
      return .untried(Self.reason(client.socketPath))
    }
    defer { close(descriptor) }
    guard let pid = PeerCredentials(ofSocket: descriptor)?.pid, pid > 0 else {
      return .failed("the daemon's process is not visible")
    }
    return body(pid)
  }

  /// Connects to the first of the sockets that listens, and sends nothing.
  func connect(to paths: [String]) -> Attack.Result {
    for path in paths {
      guard let descriptor = SSHAgentSocket.connect(to: path) else { continue }
      close(descriptor)
      return .succeeded(path)
    }
    return .failed("none listens: \(paths.joined(separator: ", "))")
  }

  /// Connects to a socket with an abstract name (unix(7)), and sends nothing.
  func connectAbstract() -> Attack.Result {
    guard case .text(let table) = TextFile("/proc/net/unix") else { return .untried("cannot read /proc/net/unix") }
    let names: [String] = table.split(at: "\n").compactMap { line in
      let words = line.split(at: " ").map(String.init)
      // The flag of a listening socket, and an abstract name.
      guard words.count == 8, words[3] == "00010000", words[7].begins(with: "@") else { return nil }
      return String(words[7].dropFirst())
    }
    for name in names {
      guard let address = try? UnixSocketAddress(abstract: name) else { continue }
      for type in [SOCK_STREAM, SOCK_SEQPACKET] {
        let descriptor = socket(AF_UNIX, CInt(type.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        if address.withPointer({ Glibc.connect(descriptor, $0, $1) }) == 0 { return .succeeded("@" + name) }
      }
    }
    return names.isEmpty ? .untried("none listens") : .failed("none of \(names.count) can be reached")
  }

  /// Asks the kernel to put a character at an invalid address into the terminal's input (TIOCSTI), which fails either way.
  func typeIntoTerminal() -> Attack.Result {
    let terminal = Glibc.open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard terminal >= 0 else { return .untried("there is no terminal") }
    defer { close(terminal) }
    guard ioctl(terminal, 0x5412, 0) != 0, errno != EFAULT else { return .succeeded("/dev/tty") }
    return .failed(Self.reason("/dev/tty"))
  }

  private static func reason(_ path: String) -> String { "\(path): \(String(cString: strerror(errno)))" }
}
