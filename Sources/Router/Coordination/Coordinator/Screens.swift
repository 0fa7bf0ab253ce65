import OrderedCollections

/// The presenters attached to each surface, and the prompts sent to them.
///
/// Presenters show a prompt once its request and their own attachment are recorded. The reason of a withdrawal is sent once its
/// event is recorded. Therefore a prompt can replace another one while that one's answer is being recorded.
struct Screens {
  struct Showing: Hashable {
    let id: PresentationID
    let generation: Int
  }

  private struct Screen {
    var seats: OrderedDictionary<PresenterID, PresenterSeat> = [:]
    var current: Showing?
    /// Replaced showings with a withdrawal that is not recorded yet.
    var replaced: Set<Showing> = []
    var toldWaiting: Int?
  }

  /// A prompt that a presenter shows after a delay.
  private struct Delayed {
    let presentation: Presentation
    let time: Duration
  }

  private var screens: [String: Screen] = [:]
  /// The surfaces of the recorded presenters.
  private var surfaces: [PresenterID: String] = [:]
  /// The last reported progress of open presentations.
  private var progress: [PresentationID: PresentationProgress] = [:]
  /// The prompts that delayed presenters are waiting to show.
  private var delayed: [PresenterID: Delayed] = [:]
  /// Presenters with an attachment that is not recorded yet.
  private(set) var arriving: [PresenterID: PresenterSeat] = [:]

  /// The recorded presenters, by surface.
  var presenters: [String: OrderedDictionary<PresenterID, PresenterIdentity>] {
    screens.mapValues { $0.seats.mapValues(\.identity) }
  }

  func hasPresenter(on surface: String) -> Bool { screens[surface] != nil }

  func seats(on surface: String) -> [PresenterSeat] { screens[surface].map { Array($0.seats.values) } ?? [] }

  /// The number of presenters of a surface, including those with an unrecorded attachment.
  func count(on surface: String) -> Int {
    (screens[surface]?.seats.count ?? 0) + arriving.values.count { $0.surface == surface }
  }

  var allSeats: [PresenterSeat] { screens.values.flatMap(\.seats.values) + arriving.values }

  func seat(_ id: PresenterID) -> PresenterSeat? {
    arriving[id] ?? surfaces[id].flatMap { screens[$0]?.seats[id] }
  }

  func current(on surface: String) -> Showing? { screens[surface]?.current }

  /// The next time to call ``tick(at:)``.
  var nextTime: Duration? { delayed.values.lazy.map(\.time).min() }

  mutating func arrive(_ seat: PresenterSeat) {
    arriving[seat.id] = seat
  }

  /// Handles a recorded attachment: sends the presenter the shown prompt.
  mutating func attached(_ id: PresenterID, shown: Presentation?, waiting: Int, at now: Moment) {
    guard let seat = arriving.removeValue(forKey: id) else { return }
    screens[seat.surface, default: Screen()].seats[id] = seat
    surfaces[id] = seat.surface
    screens[seat.surface]!.toldWaiting = waiting
    // A later showing follows, for all presenters.
    let current = shown.flatMap { self.current(on: seat.surface) == Showing($0) && seat.identity.mayShow($0) ? $0 : nil }
    if let current { present(current, to: seat, at: now) }
    if current == nil || delayed[id] != nil { seat.tell(.queue(waiting: waiting)) }
  }

  /// Removes a presenter, after its detachment is recorded or if its attachment never was.
  mutating func detached(_ id: PresenterID, from surface: String) {
    (delayed[id], surfaces[id]) = (nil, nil)
    (arriving.removeValue(forKey: id) ?? screens[surface]?.seats.removeValue(forKey: id))?.end(nil)
    if screens[surface]?.seats.isEmpty == true { screens[surface] = nil }
  }

  /// Shows a presentation in place of the current one, unless it is already shown.
  mutating func show(_ presentation: Presentation, waiting: Int, at now: Moment) {
    let (surface, showing) = (presentation.request.surface, Showing(presentation))
    guard let screen = screens[surface], screen.current != showing else { return }
    if let current = screen.current { screens[surface]!.replaced.insert(current) }
    screens[surface]!.replaced.remove(showing)
    screens[surface]!.current = showing
    screens[surface]!.toldWaiting = waiting
    for seat in screen.seats.values {
      delayed[seat.id] = nil
      if seat.identity.mayShow(presentation) { present(presentation, to: seat, at: now) }
    }
  }

  /// Sends a shown prompt to a presenter, immediately or after its delay (``tick(at:)``).
  private mutating func present(_ presentation: Presentation, to seat: PresenterSeat, at now: Moment) {
    let shownFor = presentation.shownSince.map { now.wall.duration(since: $0) } ?? .zero
    if let after = seat.identity.scope.after, shownFor < after {
      delayed[seat.id] = Delayed(presentation: presentation, time: now.boot + after - max(.zero, shownFor))
    } else {
      send(presentation, to: seat)
    }
  }

  private func send(_ presentation: Presentation, to seat: PresenterSeat) {
    seat.tell(.present(presentation, waiting: screens[seat.surface]?.toldWaiting ?? 0))
    if let progress = progress[presentation.id] { seat.tell(.progress(presentation.id, progress)) }
  }

  /// Sends prompts to delayed presenters that are due.
  mutating func tick(at now: Duration) {
    for (id, prompt) in delayed where prompt.time <= now {
      delayed[id] = nil
      if let seat = seat(id) { send(prompt.presentation, to: seat) }
    }
  }

  /// Stores the progress of an open presentation, and sends it to its presenters.
  mutating func report(_ progress: PresentationProgress, of presentation: Presentation) {
    let id = presentation.id
    self.progress[id] = progress
    guard let screen = screens[presentation.request.surface], screen.current?.id == id else { return }
    for seat in screen.seats.values where seat.identity.mayShow(presentation) && delayed[seat.id] == nil {
      seat.tell(.progress(id, progress))
    }
  }

  /// Removes the progress of an ended presentation. Returns whether there was any.
  mutating func ended(_ id: PresentationID) -> Bool { progress.removeValue(forKey: id) != nil }

  /// Sends the reason why a showing has ended, if presenters were told to show it.
  mutating func withdraw(_ showing: Showing, from surface: String, because reason: Presentation.Withdrawal) {
    guard let screen = screens[surface] else { return }
    if screen.current == showing {
      screens[surface]!.current = nil
    } else if screens[surface]!.replaced.remove(showing) == nil {
      return
    }
    for seat in screen.seats.values where seat.identity.isFor(showing.id) {
      if let prompt = delayed[seat.id]?.presentation {
        if Showing(prompt) == showing { delayed[seat.id] = nil }
        continue
      }
      seat.tell(.withdraw(showing.id, generation: showing.generation, reason: reason))
    }
  }

  /// Withdraws a showing from the presenter that failed to show it.
  func withdraw(_ showing: Showing, from surface: String, failed presenter: Presentation.Responder) {
    for seat in seats(on: surface) where seat.identity.isFor(showing.id) && seat.identity.isSame(as: presenter) {
      seat.tell(.withdraw(showing.id, generation: showing.generation, reason: .failed))
    }
  }

  /// Drops showings with a withdrawal that could not be recorded.
  mutating func forgetReplaced() {
    for surface in screens.keys { screens[surface]!.replaced = [] }
  }

  mutating func tell(waiting: Int, on surface: String) {
    guard let screen = screens[surface], screen.toldWaiting != waiting else { return }
    screens[surface]!.toldWaiting = waiting
    for seat in screen.seats.values { seat.tell(.queue(waiting: waiting)) }
  }
}

extension Screens.Showing {
  init(_ presentation: Presentation) {
    self.init(id: presentation.id, generation: presentation.generation)
  }
}

struct PresenterSeat: Sendable {
  let id: PresenterID
  let surface: String
  let identity: PresenterIdentity
  let tell: @Sendable (PresenterEvent) -> Void
  /// Ends the presenter's events, with an error if it could not attach.
  let end: @Sendable (RouterError?) -> Void
}
