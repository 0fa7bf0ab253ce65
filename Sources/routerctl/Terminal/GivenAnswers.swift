import OrderedCollections
import Router

/// What was answered here to what is part of a flow: whoever comes back finds it filled in.
struct GivenAnswers {
  /// How many presentations are remembered; the oldest are forgotten first.
  static let maximumCount = 64

  private struct Given {
    let generation: Int
    let answer: PresentationAnswer
  }

  private var answers: OrderedDictionary<PresentationID, Given> = [:]

  /// Whether this is put up again because of the answer that was given here, and for no other reason.
  func isEchoed(by presentation: Presentation) -> Bool {
    answers[presentation.id]?.generation == presentation.generation - 1
  }

  /// Remembers an answer to what goes on after it; of one that is for the asker alone, only that there was one.
  mutating func note(_ response: PresenterResponse, to presentation: Presentation) {
    guard presentation.request.flow, case .answer(let answer) = response else { return }
    answers.removeValue(forKey: presentation.id)
    let isSecret = presentation.request.sensitive
    answers[presentation.id] = Given(generation: presentation.generation, answer: isSecret ? .redacted : answer)
    if answers.count > Self.maximumCount { answers.removeFirst() }
  }

  /// An answer did not count.
  mutating func forget(_ presentation: Presentation) {
    answers.removeValue(forKey: presentation.id)
  }

  /// The request with what was answered to it in place of its defaults.
  func filledIn(_ presentation: Presentation) -> PresentationRequest {
    var request = presentation.request
    guard case .value(let value)? = answers[presentation.id]?.answer, var schema = request.schema else { return request }
    for index in schema.properties.indices {
      if let given = value[schema.properties[index].name] { schema.properties[index].defaultValue = given }
    }
    request.schema = schema
    return request
  }
}
