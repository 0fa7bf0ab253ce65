import ArgumentParser
import Glibc
import Router
import RouterCommandLine

struct LogForward: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forward",
    abstract: "Send the log's events to another system as they are recorded.",
    discussion: """
      Sends every event in order, at least once, with its hash and all that it contains, answers included, and then follows the log. \
      --state is a file with the last event that the target acknowledged: later runs continue there. If the log no longer has that \
      event with that hash, it was rewritten, cut off or replaced, and forwarding stops. So each forwarded event is an anchor; \
      `log verify --anchors` reads a file of them in the format json.

      TARGETS
        file:PATH           append a line for each event; acknowledged when it is on disk. Waits if the file was cut since
        exec:CMD            run a shell command for each batch, with a line for each event on its input; acknowledged by exit status
                            0, or up to an event by a line 'ok SEQ' on its output
        unix:PATH           a local syslog socket, such as /dev/log; details that do not fit a datagram are left out
        tcp:HOST:PORT       a syslog server (RFC 5424, octet-counted); acknowledged by its kernel
        otlp:http://HOST    a collector (OTLP/HTTP, JSON), usually with the port 4318; acknowledged by its reply

      FORMATS
        json     the event as in the HTTP API, and its hash; default of file and exec
        rfc5424  syslog, with the number and hash as structured data; the only format of unix and tcp
        otlp     OpenTelemetry logs; the only format of otlp

      Exits with 8 if the log before the last event is not the one that was forwarded, with 69 if the target or the log is away \
      (without --once it waits for them), with 64 for wrong arguments.

      EXAMPLES
        routerctl log forward --to tcp:logs.example.org:601 --state ~/.local/state/router-forward.json
        routerctl log forward --to otlp:http://127.0.0.1:4318 --state /var/lib/router-forward/state.json
        routerctl log forward --once --to 'exec:ssh logs "cat >> events.jsonl"' --state forward.json
      """)

  @Option(help: ArgumentHelp("Target of the events.", valueName: "target"))
  var to: String

  @Option(help: ArgumentHelp("File that keeps the last acknowledged event.", valueName: "file"), completion: .file())
  var state: String

  @Option(help: ArgumentHelp("Format of the events.", valueName: "format"))
  var format: ForwardFormat?

  @Flag(help: "Stop after the events that are there.")
  var once = false

  @OptionGroup(title: "Location") var location: LogLocation

  func validate() throws { _ = try target }

  private var target: any ForwardTarget {
    get throws {
      guard let (formats, make) = ForwardFormat.target(to) else {
        throw ValidationError(
          "--to is not a target: expected file:PATH, exec:CMD, unix:PATH, tcp:HOST:PORT or otlp:http://HOST:PORT.")
      }
      guard let format = format ?? formats.first, formats.contains(format) else {
        throw ValidationError("--to \(to) takes --format \(formats.map(\.rawValue).joined(separator: " or ")).")
      }
      return make(ForwardEncoder(format: format, host: hostName ?? "localhost"))
    }
  }

  func run() async throws {
    let log: any FollowedLog = try location.daemonInstead() ?? LogFile(path: location.path)
    let forwarder = LogForwarder(log, state: try ForwardState(path: state), target: try target, isOnce: once) {
      StandardStream.error.message("routerctl: \($0)".escapedForTerminal())
    }
    try await forwarder.run()
  }
}
