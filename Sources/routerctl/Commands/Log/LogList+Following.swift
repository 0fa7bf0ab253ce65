import ArgumentParser
import Glibc
import Router

extension LogList {
  /// Prints existing entries, then new ones, until the program is interrupted or the reader of its output has exited.
  func followLog(_ printer: LogPrinter) async throws {
    // Ctrl-C is the normal way to stop; all output has already been written.
    signal(SIGINT) { _ in _exit(0) }
    let log: any FollowedLog = try location.daemonInstead() ?? LogFile(path: location.path)
    let backlog = lines ?? (filters.since == nil ? 10 : nil)
    let follower = LogFollower(log, query: filters.query, backlog: backlog) { [events] in events || $0.endsPresentation }
    let printer = Mutex(printer)
    var isThere = true
    while !StandardStream.output.hasLostItsReader {
      let wasThere = isThere
      isThere = try await follower.poll { [events, format, query = filters.query] source, page in
        if events {
          let page = try await source.told(page, hasRequests: format == nil)
          printer.withLock { $0.print(page) }
        } else {
          let page = try await source.presentations(endedBy: page, matching: query)
          printer.withLock { $0.print(page, now: PresentationClock.system.wall()) }
        }
      }
      if wasThere, !isThere { StandardStream.error.line("routerctl: waiting for \(log.name)".escapedForTerminal()) }
      try await Task.sleep(for: log.interval)
    }
  }
}

extension AuditEvent {
  /// Whether the event ends its presentation. Answers to a flow's screens do not.
  var endsPresentation: Bool {
    PresentationOutcome.Name(rawValue: kind.rawValue) != nil && detail["stays"]?.bool != true
  }
}

extension StandardStream {
  /// Whether the reader of the output has exited, which an idle follower would not notice.
  fileprivate var hasLostItsReader: Bool {
    var polled = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&polled, 1, 0) > 0 && Int32(polled.revents) & POLLERR != 0
  }
}
