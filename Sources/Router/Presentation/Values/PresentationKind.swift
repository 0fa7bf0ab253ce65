/// What a presentation looks like, in SwiftUI's words.
public enum PresentationKind: String, Sendable, Hashable, Codable, CaseIterable {
  case alert, confirmationDialog, sheet, fullScreenCover

  /// Whether it is answered with one of its buttons; a sheet or a cover is answered with a value.
  public var hasButtons: Bool { self == .alert || self == .confirmationDialog }
}

/// Whether a confirmation dialog shows its title.
public enum TitleVisibility: String, Sendable, Hashable, Codable, CaseIterable {
  case automatic, visible, hidden
}

/// Which of the waiting presentations comes first. Within one priority it is first in, first out.
public enum PresentationPriority: String, Sendable, Hashable, Codable, CaseIterable {
  case low, normal, high, critical
}

/// What happens to a request that finds its place taken.
public enum ConflictPolicy: String, Sendable, Hashable, Codable, CaseIterable {
  /// It waits in line.
  case enqueue
  /// It is not shown: it resolves at once as cancelled, busy.
  case cancelNew
  /// It takes the place of what is shown, which resolves as cancelled, superseded.
  case cancelPrevious
}

/// What happens to a request whose turn it is while nobody is there to show it.
public enum NoPresenterPolicy: String, Sendable, Hashable, Codable, CaseIterable {
  /// It waits until a presenter attaches.
  case wait
  /// It resolves as cancelled, noPresenter.
  case fail
}

/// How a button looks and which key presses it. Every button is an answer, whatever its role.
public enum ButtonRole: String, Sendable, Hashable, Codable, CaseIterable {
  case destructive, cancel
}
