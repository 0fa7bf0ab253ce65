public import Router

/// The unfinished work of a test, thrown by ``TestBroker/check()`` and recorded by
/// ``withTestRouter(limits:patience:leaving:isolation:sourceLocation:operation:)``.
public struct UnfinishedWork: Error, Sendable, Hashable {
  /// One unfinished item.
  public enum Item: Sendable, Hashable {
    /// A presentation that has not ended.
    case open(Presentation)
    /// An unread answer of a requester that did not opt out.
    case unread(Presentation)
    /// A refused request that no task waits for; the refusal was only logged.
    case refused(PresentationRequest, String)
    /// Steps of a presenter's script that were never reached.
    case unplayed(presenter: String, [TestPresenter.Step])
    /// A step of a presenter's script that failed, with the reason.
    case failedStep(presenter: String, String, String)
  }

  /// The unfinished items; never empty.
  public let items: [Item]
}

extension UnfinishedWork: CustomStringConvertible {
  /// Lists the items.
  public var description: String {
    "cannot pass: " + items.map(\.description).joined(separator: "; ")
  }
}

extension UnfinishedWork.Item: CustomStringConvertible {
  /// Describes the item in terms of the test.
  public var description: String {
    switch self {
    case .open(let presentation): "\(presentation.designation) is still open"
    case .unread(let presentation): "the answer to \(presentation.designation) was never read"
    case .refused(let request, let error): "\(request.designation) was refused: \(error)"
    case .unplayed(let presenter, let steps):
      "the presenter \(presenter) was shown nothing for \(steps.map(\.description).joined(separator: ", "))"
    case .failedStep(let presenter, let step, let error): "the presenter \(presenter) could not \(step): \(error)"
    }
  }
}

extension Presentation {
  var designation: String { "\(request.designation) (\(id), surface \(request.surface))" }
}

extension PresentationRequest {
  var designation: String { "the \(kind.rawValue) \"\(heading)\"" }
}
