/// The form of a presentation, in SwiftUI's terms.
public enum PresentationKind: String, Sendable, Hashable, Codable, CaseIterable {
  case alert, confirmationDialog, sheet, fullScreenCover

  /// Whether it is answered with a button. A sheet or cover is answered with a value.
  public var hasButtons: Bool { self == .alert || self == .confirmationDialog }
}

extension PresentationRequest {
  /// Whether a confirmation dialog shows its title.
  public enum TitleVisibility: String, Sendable, Hashable, Codable, CaseIterable {
    case automatic, visible, hidden
  }
}

package typealias TitleVisibility = PresentationRequest.TitleVisibility

extension PresentationOptions {
  /// Which of the waiting presentations comes first. Within one priority it is first in, first out.
  public enum Priority: String, Sendable, Hashable, Codable, CaseIterable {
    case low, normal, high, critical
  }
}

package typealias PresentationPriority = PresentationOptions.Priority

extension PresentationOptions {
  /// What happens to a request that finds its place taken.
  public enum ConflictPolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// It waits in line.
    case enqueue
    /// It is not shown: it resolves at once as cancelled, busy.
    case cancelNew
    /// It takes the place of what is shown, which resolves as cancelled, superseded.
    case cancelPrevious
  }
}

package typealias ConflictPolicy = PresentationOptions.ConflictPolicy

extension PresentationOptions {
  /// What happens to a request whose turn it is while nobody is there to show it.
  public enum NoPresenterPolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// It waits until a presenter attaches.
    case wait
    /// It resolves as cancelled, noPresenter.
    case fail
  }
}

package typealias NoPresenterPolicy = PresentationOptions.NoPresenterPolicy

/// A button's role, which determines its style and key. Pressing any button is an answer.
public enum ButtonRole: String, Sendable, Hashable, Codable, CaseIterable {
  case destructive, cancel
}
