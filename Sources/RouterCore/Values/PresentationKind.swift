/// The form of a presentation, in SwiftUI's terms.
public enum PresentationKind: String, Sendable, Hashable, Codable, CaseIterable {
  case alert, confirmationDialog, sheet, fullScreenCover

  /// Whether a presentation of this kind is answered with a button; sheets and covers are answered with a value.
  public var hasButtons: Bool { self == .alert || self == .confirmationDialog }

  /// Whether a presentation of this kind can show the progress of its requester's work.
  package var showsProgress: Bool { !hasButtons }
}
