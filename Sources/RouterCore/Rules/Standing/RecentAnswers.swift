import OrderedCollections

/// The answers of the last week to requests that offered to remember them, and whose answers were not remembered. A prompt says
/// how often its act got the same one.
package struct RecentAnswers: Sendable {
  package static let time = Duration.seconds(7 * 86_400)
  /// The maximum number of remembered acts, of all users.
  private static let maximum = 1024
  /// The number of equal answers from which a prompt mentions them, and the maximum number that it counts.
  private static let (least, most) = (3, 99)

  private struct Key: Hashable {
    let owner: Owner
    let surface: String
    let act: String
  }

  private struct Answers {
    let button: String
    let times: [Timestamp]
  }

  private var answers: OrderedDictionary<Key, Answers> = [:]

  package init() {}

  /// Notes the end of a presentation.
  package mutating func note(_ presentation: Presentation, at time: Timestamp) {
    let request = presentation.request
    guard case .answered(.button(let id)) = presentation.outcome, presentation.because == nil,
      presentation.extra.remember == nil, let key = Self.key(request, by: presentation.requester),
      let button = request.buttons.first(where: { $0.id == id })
    else { return }
    // Removing many at once costs less than one at a time.
    if answers[key] == nil, answers.count >= Self.maximum { answers.removeFirst(Self.maximum / 4) }
    // Another answer ends the habit.
    let isHabit = answers[key]?.button.isSame(as: button.label) == true
    let times = (isHabit ? answers[key]?.times ?? [] : []) + [time]
    answers[key] = Answers(button: button.label, times: times.suffix(Self.most))
  }

  /// Returns the answer that a person keeps giving to a request; `nil` if there is none.
  func habit(_ request: PresentationRequest, by requester: Presentation.Requester, at now: Timestamp) -> GrantOffer.Habit? {
    guard !answers.isEmpty, let key = Self.key(request, by: requester), let found = answers[key] else { return nil }
    let count = found.times.count { now.duration(since: $0) < Self.time }
    return count < Self.least ? nil : GrantOffer.Habit(button: found.button, count: count)
  }

  private static func key(_ request: PresentationRequest, by requester: Presentation.Requester) -> Key? {
    guard request.remember != nil, request.isRememberable, let act = request.act else { return nil }
    return Key(owner: requester.process.owner, surface: request.surface, act: act.digest)
  }
}
