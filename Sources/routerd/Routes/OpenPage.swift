import Router

/// A page of the open presentations.
///
/// Pages follow the order of request, which never changes: while prompts end or move in the queue, no prompt is skipped or
/// repeated. Within a page, presentations are in display order.
struct OpenPage: Sendable {
  /// The maximum size of a page in bytes; a single presentation may exceed it, since a response is buffered.
  static let maximumBytes = 8 << 20

  let presentations: [JSONText]
  /// The last presentation of the page, which the next page follows; `nil` on the last page.
  let next: PresentationID?

  /// - Parameter open: The next presentations of each coordinator, with keys that sort those of a surface in display order.
  init(
    _ open: [(presentation: Presentation, orderKey: [Int])], limit: Int, maximumBytes: Int = OpenPage.maximumBytes
  ) {
    let left = open.sorted { $0.presentation.id < $1.presentation.id }
    var page: [(presentation: Presentation, orderKey: [Int], text: JSONText)] = []
    var bytes = 0
    for (presentation, orderKey) in left.prefix(limit) {
      guard bytes < maximumBytes else { break }
      let text = presentation.jsonText
      page.append((presentation, orderKey, text))
      bytes += text.bytes.count
    }
    next = page.count < left.count ? page.last?.presentation.id : nil
    page.sort { left, right in
      let surfaces = (left.presentation.request.surface, right.presentation.request.surface)
      return surfaces.0.isSame(as: surfaces.1)
        ? left.orderKey.lexicographicallyPrecedes(right.orderKey) : surfaces.0.utf8.lexicographicallyPrecedes(surfaces.1.utf8)
    }
    presentations = page.map(\.text)
  }
}
