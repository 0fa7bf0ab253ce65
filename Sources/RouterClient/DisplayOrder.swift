import Router

extension [Presentation] {
  /// Sorts open presentations from several pages in the daemon's order: by surface and queue position, each presentation before
  /// the ones stacked on it.
  var inDisplayOrder: [Presentation] {
    let ids = Set(map(\.id))
    let stacked = Dictionary(grouping: self) { presentation in
      presentation.request.over.flatMap { ids.contains($0) ? $0 : nil }
    }
    func sorted(over id: PresentationID?) -> [Presentation] {
      (stacked[id] ?? []).sorted {
        ($0.request.surface, $0.position, $0.id) < ($1.request.surface, $1.position, $1.id)
      }
    }
    var (ordered, next) = ([Presentation](), Array(sorted(over: nil).reversed()))
    while let presentation = next.popLast() {
      ordered.append(presentation)
      next += sorted(over: presentation.id).reversed()
    }
    return ordered
  }
}
