#if PostgreSQL
import Router

extension SharedWorker {
  /// What the database may have for this host, or another host has announced. The first letter of a notification.
  enum News: String, CaseIterable {
    case inputs = "i"
    case events = "e"
    case progress = "p"

    func of(_ name: String) -> String { rawValue + name }
  }

  /// What this host has and knows of a surface. Used on the worker's thread only.
  final class Surface {
    let name: String
    let coordinator: PresentationCoordinator
    let log: AuditLog
    let primary: SharedLog
    var epoch: Int64 = -1
    var isLeading = false
    /// Whether it is on record, as far as this connection knows.
    var isAdded = false
    /// Whether its record has been copied to its end since the connection was made, or since that failed.
    var isCaughtUp = false
    /// When this host may lead it again, after it could not record anything as its leader.
    var mayLeadFrom = Duration.zero
    /// Inputs that are not in the inbox yet.
    private(set) var outbox: [(number: Int, input: InboxText)]
    /// When to send them; `nil` if there are none.
    private(set) var sendAt: Duration? = .zero
    /// The last input of this host in the inbox.
    private(set) var sent = -1
    /// The last input of this host that the leader has replied to.
    private(set) var replied = -1
    /// Rows that the coordinator has and that are not recorded yet, with the presentations that they request.
    var inFlight: [Int64: PresentationID?] = [:]
    /// Whether a host has more inputs than may be in flight at once.
    var isBacklogged = false
    /// Progress of sheets that the other hosts have not been told of; `nil` for sheets that have ended.
    var progress: [PresentationID: PresentationProgress?] = [:]
    var mayHave = Set(News.allCases)
    /// Whether events were recorded that the other hosts have not been told of.
    var hasNews = false
    /// Why its record cannot be copied.
    var failure: String?
    /// When to stop waiting for the presenters of other hosts.
    var showAt: Duration?

    /// - Parameter earlier: The same surface, as a coordinator before had it.
    init(
      _ name: String, _ coordinator: PresentationCoordinator, _ log: AuditLog, _ primary: SharedLog, after earlier: Surface?
    ) {
      (self.name, self.coordinator, self.log, self.primary) = (name, coordinator, log, primary)
      // The requests and presenters of the daemon's last process are gone.
      outbox = [(0, InboxText(.restarted))] + (earlier?.outbox ?? [])
    }

    /// Notes a new connection, which knows nothing yet.
    func connected() {
      mayHave.formUnion([.inputs, .events])
      (isAdded, isCaughtUp) = (false, false)
    }

    // MARK: Inputs of this host

    func send(_ input: InboxText, number: Int, at time: Duration) {
      outbox.append((number, input))
      sendAt = min(sendAt ?? time, time)
    }

    /// The inputs to send now, if there may be this many without a reply.
    func due(most: Int) -> ArraySlice<(number: Int, input: InboxText)> { outbox.prefix(max(0, most - (sent - replied))) }

    /// Notes that inputs are in the inbox. The rest is sent with the next reply, or later.
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

    /// Notes that the events of a row are recorded.
    func recorded(_ row: Int64) {
      inFlight[row] = nil
      if isBacklogged { mayHave.insert(.inputs) }
      // It may be a row of this host, from before it led.
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

  /// An input as a row of the inbox.
  struct InboxText {
    /// The constraint `inbox_size` of the database.
    static let maximumBytes = 4 << 20

    /// The presentation that it requests.
    let requested: PresentationID?
    let text: String

    init(_ input: SharedInput) {
      requested = input.requested
      text = JSONText(input).description
    }
  }
}
#endif
