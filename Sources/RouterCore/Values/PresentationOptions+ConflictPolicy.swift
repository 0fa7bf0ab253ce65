extension PresentationOptions {
  /// The policy for a request when the surface is busy.
  public enum ConflictPolicy: String, Sendable, Hashable, Codable, CaseIterable {
    /// Queues the request.
    case enqueue
    /// Does not show the request: it resolves immediately as cancelled, busy.
    case cancelNew
    /// Replaces the current presentation, which resolves as cancelled, superseded.
    case cancelPrevious
  }
}
