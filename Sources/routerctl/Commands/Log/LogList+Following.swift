import ArgumentParser
import Glibc
import Router
import RouterClient

extension LogList {
  /// Prints existing entries, then new ones, until the program is interrupted or the reader of its output is gone.
  func followLog(_ printer: LogPrinter) async throws {
    // Ctrl-C is the normal way to stop; all output has already been written.
    signal(SIGINT) { _ in _exit(0) }
    let backlog = lines ?? (filters.since == nil ? 10 : nil)
    if let source = try location.daemonInstead() { return try await followDaemon(source, backlog: backlog, printer) }
    var printer = printer
    if events {
      let follower = LogFollower(path: location.path, query: filters.query, backlog: backlog) { [format] in
        try await $0.events($1, hasRequests: format == nil)
      }
      try await follow(follower) { printer.print($0) }
    } else {
      let follower = LogFollower(path: location.path, query: filters.query, backlog: backlog) { try await $0.resolved($1) }
      try await follow(follower) { printer.print($0, now: PresentationClock.system.wall()) }
    }
  }

  private func followDaemon(_ source: DaemonLog, backlog: Int?, _ printer: LogPrinter) async throws {
    let follower = DaemonLogFollower(source: source, query: filters.query)
    let printer = Mutex(printer)
    if events {
      let page = try await source.told(try await follower.events(backlog: backlog), hasRequests: format == nil)
      printer.withLock { $0.print(page) }
    } else {
      let page = try await follower.presentations(backlog: backlog)
      printer.withLock { $0.print(page, now: PresentationClock.system.wall()) }
    }
    var isThere = true
    while !StandardStream.output.hasLostItsReader {
      try await follower.follow { [events, format] event in
        if events {
          let page = try await source.told([event], hasRequests: format == nil)
          printer.withLock { $0.print(page) }
        } else if let ended = try await follower.ended(by: event) {
          printer.withLock { $0.print([ended], now: PresentationClock.system.wall()) }
        }
      }
      if isThere {
        StandardStream.error.line("routerctl: waiting for routerd at \(source.client.socketPath)".escapedForTerminal())
      }
      isThere = false
      try await Task.sleep(for: .milliseconds(500))
    }
  }

  private func follow<Element>(_ follower: LogFollower<Element>, print: ([Element]) -> Void) async throws {
    var follower = follower
    var isThere = true
    while !StandardStream.output.hasLostItsReader {
      let wasThere = isThere
      isThere = try await follower.poll(body: print)
      if wasThere, !isThere {
        StandardStream.error.line("routerctl: waiting for a database at \(location.path)".escapedForTerminal())
      }
      // Polling the last event number reads one row and takes microseconds. Five polls a second cost less than watching the
      // write-ahead log, which is created and removed with the daemon, and miss nothing.
      try await Task.sleep(for: .milliseconds(200))
    }
  }
}

extension StandardStream {
  /// Whether the reader of the output is gone, which a follower with nothing to write would not notice.
  fileprivate var hasLostItsReader: Bool {
    var polled = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&polled, 1, 0) > 0 && Int32(polled.revents) & POLLERR != 0
  }
}
