#if PostgreSQL
import Router

extension SharedWorker {
  /// The kinds of news that the database may have for this host, or that another host has announced. The first letter of a
  /// notification.
  enum News: String, CaseIterable {
    case inputs = "i"
    case events = "e"
    case progress = "p"

    func of(_ name: String) -> String { rawValue + name }
  }

  /// This host's state of a surface. Used only on the worker's thread.
  final class Surface {
    let name: String
    let coordinator: PresentationCoordinator
    let log: AuditLog
    let primary: SharedLog
    var epoch: Int64 = -1
    var isLeading = false
    /// Whether the surface is recorded, as far as this connection knows.
    var isAdded = false
    /// Whether its record has been copied to the end since the last connection or failure.
    var isCaughtUp = false
    /// The time from which this host may lead again, after it failed to record as leader.
    var mayLeadFrom = Duration.zero
    /// Inputs not yet in the inbox.
    private(set) var outbox: [(number: Int, input: InboxText)]
    /// The time to send them; `nil` if there are none.
    private(set) var sendAt: Duration? = .zero
    /// The last input of this host in the inbox.
    private(set) var sent = -1
    /// This host's last input with a reply from the leader.
    private(set) var replied = -1
    /// Rows that the coordinator is processing, with the presentations that they request.
    var inFlight: [Int64: PresentationID?] = [:]
    /// Whether a host has more inputs than may be in flight.
    var isBacklogged = false
    /// Progress of sheets to send to the other hosts; `nil` for ended sheets.
    var progress: [PresentationID: PresentationProgress?] = [:]
    var mayHave = Set(News.allCases)
    /// Whether events were recorded that the other hosts have not been notified of.
    var hasNews = false
    /// The error that prevents copying the record.
    var failure: String?
    /// The deadline for the presenters of other hosts.
    var showAt: Duration?

    /// - Parameter earlier: The same surface under an earlier coordinator.
    init(
      _ name: String, _ coordinator: PresentationCoordinator, _ log: AuditLog, _ primary: SharedLog, after earlier: Surface?
    ) {
      (self.name, self.coordinator, self.log, self.primary) = (name, coordinator, log, primary)
      // Ends the requests and presenters of the daemon's previous process.
      outbox = [(0, InboxText(.restarted))] + (earlier?.outbox ?? [])
    }

    /// Resets the state for a new connection.
    func connected() {
      mayHave.formUnion([.inputs, .events])
      (isAdded, isCaughtUp) = (false, false)
    }

    // MARK: Inputs of this host

    func send(_ input: InboxText, number: Int, at time: Duration) {
      outbox.append((number, input))
      sendAt = min(sendAt ?? time, time)
    }

    /// Returns the inputs to send now, with at most this many awaiting a reply.
    func due(most: Int) -> ArraySlice<(number: Int, input: InboxText)> { outbox.prefix(max(0, most - (sent - replied))) }

    /// Marks inputs as sent to the inbox. The rest is sent with the next reply, or later.
    func haveSent(_ count: Int, retryAt time: Duration) {
      if let last = outbox.prefix(count).last { sent = last.number }
      outbox.removeFirst(count)
      sendAt = outbox.isEmpty ? nil : time
      if count > 0 { mayHave.insert(.inputs) }
    }

    var awaitsReplies: Bool { replied < sent }

    func take(_ reply: SharedReply, to number: Int) {
      replied = number
      if !outbox.isEmpty { sendAt = .zero }
      coordinator.send { $0.replied(to: number, reply) }
    }

    // MARK: Leading

    /// Marks a row's events as recorded.
    func recorded(_ row: Int64) {
      inFlight[row] = nil
      if isBacklogged { mayHave.insert(.inputs) }
      // The row may be this host's own, from before it led.
      if awaitsReplies { mayHave.insert(.events) }
    }

    func steppedDown() {
      (isLeading, isCaughtUp, inFlight, showAt) = (false, false, [:], nil)
      mayHave.insert(.events)
    }

    func lead(epoch: Int64, showAt: Duration?) {
      (self.epoch, isLeading, self.showAt) = (epoch, true, showAt)
      mayHave.insert(.inputs)
      primary.lead(epoch: epoch)
    }
  }

  /// An encoded input for the inbox.
  struct InboxText {
    /// The limit of the database's constraint `inbox_size`.
    static let maximumBytes = 4 << 20

    /// The presentation that the input requests.
    let requested: PresentationID?
    let text: String

    init(_ input: SharedInput) {
      requested = input.requested
      text = JSONText(input).description
    }
  }
}
#endif
