extension Presentation {
  /// Limits on open presentations. The last tenth of ``perSurface`` and of ``total``, rounded down, is reserved for users with
  /// nothing open on the surface, or nothing open at all.
  public struct Limits: Sendable, Hashable {
    public var perSurface: Int
    public var perUser: Int
    public var total: Int
    /// The number of presentations that may be stacked on one, or on a screen of a flow. A flow's own screens do not count.
    public var stackDepth: Int
    /// The maximum size of a user's open requests, in bytes of JSON.
    public var bytesPerUser: Int

    public init(
      perSurface: Int = 10_000, perUser: Int = 2500, total: Int = 100_000, stackDepth: Int = 1, bytesPerUser: Int = 16 << 20
    ) {
      self.perSurface = perSurface
      self.perUser = perUser
      self.total = total
      self.stackDepth = stackDepth
      self.bytesPerUser = bytesPerUser
    }
  }
}
