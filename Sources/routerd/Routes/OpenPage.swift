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

  /// - Parameters:
  ///   - open: All open presentations in display order.
  ///   - cursor: The `next` of the previous page.
  init(
    _ open: [Presentation], after cursor: PresentationID?, limit: Int, maximumBytes: Int = OpenPage.maximumBytes
  ) {
    let left = open.enumerated().filter { _, presentation in cursor.map { presentation.id > $0 } ?? true }
      .sorted { $0.element.id < $1.element.id }
    var page: [(place: Int, text: JSONText)] = []
    var bytes = 0
    for (place, presentation) in left.prefix(limit) {
      guard bytes < maximumBytes else { break }
      let text = presentation.jsonText
      page.append((place, text))
      bytes += text.bytes.count
    }
    presentations = page.sorted { $0.place < $1.place }.map(\.text)
    next = page.count < left.count ? left[page.count - 1].element.id : nil
  }
}
