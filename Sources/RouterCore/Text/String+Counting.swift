extension String {
  /// Creates a number with its noun, such as `1 prompt` and `2 prompts`.
  package init(counting count: some BinaryInteger, _ noun: String) { self = count == 1 ? "1 \(noun)" : "\(count) \(noun)s" }
}
