extension Array {
  /// Returns the index of the first element that belongs to the second part of a partitioned array; `count` if there is none.
  package func partitioningIndex(where belongsInSecondPart: (Element) -> Bool) -> Int {
    // Most searches are for a new last element.
    if let last, !belongsInSecondPart(last) { return count }
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if belongsInSecondPart(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
