public import Router

/// What a test left behind: thrown at its end, so that it fails and says what it was.
public struct LeftOver: Error, Sendable, Hashable {
  /// One thing that was left.
  public enum Item: Sendable, Hashable {
    /// A presentation that has not ended.
    case open(Presentation)
    /// An answer that the requester wanted, by not saying otherwise, and never took.
    case unread(Presentation)
    /// A request of the form that does not wait, which was refused; only the log was told.
    case refused(PresentationRequest, String)
    /// Steps of a presenter's script for which nothing was shown.
    case unplayed(presenter: String, [TestPresenter.Step])
    /// A step of a presenter's script that did not count, and why.
    case failedStep(presenter: String, String, String)
  }

  /// All that was left; never empty.
  public let items: [Item]
}

extension LeftOver: CustomStringConvertible {
  /// Names each thing that was left.
  public var description: String {
    "cannot pass: " + items.map(\.description).joined(separator: "; ")
  }
}

extension LeftOver.Item: CustomStringConvertible {
  /// What was left, in the words of a test's author.
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
  fileprivate var designation: String { "\(request.designation) (\(id), surface \(request.surface))" }
}

extension PresentationRequest {
  fileprivate var designation: String { "the \(kind.rawValue) \"\(heading)\"" }
}
