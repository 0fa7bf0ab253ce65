extension PresentationOptions {
  /// What happens to a request if another one is shown or queued in its place.
  public enum ConflictPolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// It is queued.
    case enqueue
    /// It is not shown: it resolves at once as cancelled, busy.
    case cancelNew
    /// It takes the place of what is shown, which resolves as cancelled, superseded.
    case cancelPrevious
  }
}
