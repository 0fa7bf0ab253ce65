/// The form of a presentation, in SwiftUI's terms.
public enum PresentationKind: String, Sendable, Hashable, Codable, CaseIterable {
  case alert, confirmationDialog, sheet, fullScreenCover

  /// Whether it is answered with a button. A sheet or cover is answered with a value.
  public var hasButtons: Bool { self == .alert || self == .confirmationDialog }
}

/// The visibility of a confirmation dialog's title.
public enum TitleVisibility: String, Sendable, Hashable, Codable, CaseIterable {
  case automatic, visible, hidden
}

/// The queue priority. Within one priority, users take turns; each user's requests are first in, first out.
public enum PresentationPriority: String, Sendable, Hashable, Codable, CaseIterable {
  case low, normal, high, critical
}

/// What to do with a request if its place is taken.
public enum ConflictPolicy: String, Sendable, Hashable, Codable, CaseIterable {
  /// Wait in the queue.
  case enqueue
  /// Resolve the new request at once as cancelled, with the reason `busy`.
  case cancelNew
  /// Replace the shown presentation, which resolves as cancelled, with the reason `superseded`.
  case cancelPrevious
}

/// What to do when it is a request's turn and no presenter is attached.
public enum NoPresenterPolicy: String, Sendable, Hashable, Codable, CaseIterable {
  /// Wait until a presenter attaches.
  case wait
  /// Resolve as cancelled, with the reason `noPresenter`.
  case fail
}

/// A button's role, which determines its style and key. Pressing any button is an answer.
public enum ButtonRole: String, Sendable, Hashable, Codable, CaseIterable {
  case destructive, cancel
}
