import Router
import RouterCore

/// What programs and people have seen, which the record must confirm.
final class Facts {
  struct Showing: Hashable {
    let id: PresentationID
    let generation: Int
  }

  /// An answer that a person has sent.
  struct Sent: Hashable {
    let showing: Showing
    let answer: PresentationAnswer
  }

  /// The number of requests by title that were sent and not refused.
  var asked: [String: Int] = [:]
  /// The time from which the prompt of an attached requester that is gone may not be shown, by title.
  var hidden: [String: Duration] = [:]
  /// The titles of requests that the daemon has accepted.
  var accepted: [PresentationID: String] = [:]
  /// The outcomes that requesters were told.
  var ended: [PresentationID: PresentationOutcome] = [:]
  /// The number of times that an answer was sent and not refused.
  var sent: [Sent: Int] = [:]
  /// Answers that the daemon has accepted.
  var confirmed: Set<Sent> = []
  var shown: [Showing] = []
  var revoked: Set<GrantID> = []
  var calledBack: [PresentationID: PresentationOutcome] = [:]
  /// The beginning of all secrets, which may be nowhere on the disk.
  static let secret = "hush-"
}
