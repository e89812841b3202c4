#include "tree_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "bitonic_trees.h"
#include "canvas.h"
#include "page.h"
#include "places.h"
#include "strip.h"

namespace glsort::demo {
namespace {

/// Which trees are shown, in how many rows, and how large.
struct TreeGrid {
    bool pairs = false;          ///< Whether the trees are below the two nodes that each instance has written.
    int stage = 0;               ///< Otherwise the trees of this stage are shown.
    int levels = 0;              ///< Shown levels.
    std::uint32_t trees = 0;     ///< Shown trees.
    std::uint32_t in_a_row = 1;  ///< Trees per row.
    float pitch = 0;             ///< Distance between successive nodes.
    float level = 0;             ///< Distance between levels.
    float radius = 0;            ///< Radius of a node.

    std::uint32_t rows() const { return (trees + in_a_row - 1) / in_a_row; }
};

class TreeDrawing {
  public:
    TreeDrawing(const Moment& moment, Canvas& canvas)
        : moment_(moment), canvas_(canvas), unit_(canvas.unit()), trees_(moment) {
        const float line = canvas.text_height();
        left_ = 3 * gap() + canvas.text_width("depth 00");
        top_ = 2.5f * line + gap();
        right_ = canvas.width() - gap();
        bottom_ = canvas.height() - line - 2 * gap();
        choose_grid();
    }

    void draw() {
        draw_summary();
        for (std::uint32_t row = 0; row < grid_.rows(); ++row) {
            std::vector<BitonicTree> trees;
            for (std::uint32_t tree = row * grid_.in_a_row; tree < grid_.trees && trees.size() < grid_.in_a_row; ++tree)
                trees.push_back(grid_.pairs ? trees_.subtree(0, tree / 2, tree % 2 != 0, grid_.levels)
                                            : trees_.tree(grid_.stage, tree, grid_.levels));
            find_range(trees);
            Point corner{left_, top_ + row_height() * static_cast<float>(row)};
            draw_levels(corner.y);
            for (const BitonicTree& tree : trees) {
                draw_tree(tree, corner);
                corner.x += tree_width();
            }
        }
        draw_legend();
    }

  private:
    float margin() const { return 12 * unit_; }
    float gap() const { return 6 * unit_; }
    /// Whether all levels are shown, and below the levels the keys in order.
    bool complete() const { return grid_.levels == height(); }
    /// The level of the roots.
    int first_level() const {
        return grid_.pairs ? trees_.last_phases()[0].stage + trees_.last_phases()[0].phase : grid_.stage;
    }
    int height() const { return trees_.level() - first_level(); }
    std::uint32_t all_trees() const { return grid_.pairs ? 2 * trees_.instances(0) : trees_.trees(grid_.stage); }
    float tree_width() const { return grid_.pitch * static_cast<float>(1u << grid_.levels); }
    float row_height() const { return (bottom_ - top_) / static_cast<float>(std::max(grid_.rows(), 1u)); }
    float bars_height() const { return std::min(120 * unit_, 0.28f * row_height()); }

    /// Shows whole trees if one fits, else the trees of the last stage: as many, and as large, as there is room for.
    void choose_grid() {
        const float width = right_ - left_;
        const float min_pitch = 9 * unit_;
        const auto nodes_of_width = static_cast<std::uint32_t>(std::max(width / min_pitch, 4.0f));
        const int max_levels = static_cast<int>(std::bit_width(nodes_of_width)) - 1;
        if (trees_.level() > max_levels) grid_.stage = trees_.stage();
        // If p and q of all phases would be too deep, shows the trees below p and q.
        const auto lies_deep = [&](const Labels& labels) {
            const int next = labels.stage + labels.phase + 1;
            return next < trees_.level() && next >= grid_.stage + max_levels;
        };
        grid_.pairs = trees_.merging() && std::ranges::all_of(trees_.last_phases(), lies_deep);
        grid_.levels = std::clamp(height(), 0, grid_.pairs ? max_levels - 1 : max_levels);
        const std::uint32_t all = all_trees();
        const auto nodes = static_cast<float>(1u << grid_.levels);
        const auto max_in_a_row = static_cast<std::uint32_t>(std::max(width / (min_pitch * nodes), 1.0f));
        float best = -1;
        for (std::uint32_t rows = 1; rows <= 3; ++rows) {
            TreeGrid grid = grid_;
            const float row = (bottom_ - top_) / static_cast<float>(rows);
            grid.in_a_row = std::clamp((all + rows - 1) / rows, 1u, max_in_a_row);
            if (grid.pairs) grid.in_a_row += grid.in_a_row % 2;
            grid.trees = std::min(all, rows * grid.in_a_row);
            grid.pitch = std::min(width / (nodes * static_cast<float>(grid.in_a_row)), 96 * unit_);
            const float bars = complete() ? std::min(120 * unit_, 0.28f * row) : 0.0f;
            const float tree = row - bars - 2 * canvas_.text_height();
            grid.level = std::min(tree / static_cast<float>(std::max(grid.levels, 1)), 110 * unit_);
            grid.radius = std::min({0.42f * grid.pitch, 0.26f * grid.level, 15 * unit_});
            const float score = grid.radius * std::pow(static_cast<float>(grid.trees), 0.25f);
            if (score <= best) continue;
            best = score;
            grid_ = grid;
        }
    }

    /// Finds the range of the bars: all keys if all are shown, else the keys of a row.
    void find_range(const std::vector<BitonicTree>& trees) {
        min_ = 0;
        greatest_ = moment_.places->count() - 1;
        if (grid_.trees == all_trees() && !grid_.pairs) return;
        std::swap(min_, greatest_);
        for (const BitonicTree& tree : trees)
            for (const std::optional<TreeNode>& node : tree.nodes) {
                if (!node || !node->key) continue;
                min_ = std::min(min_, *node->key);
                greatest_ = std::max(greatest_, *node->key);
            }
    }

    void draw_summary() {
        const std::uint32_t trees = trees_.trees(0);
        const int level = trees_.level();
        std::string text;
        if (!trees_.merging()) {
            text = moment_.done == 0
                       ? fmt::format("The input, cut into the sequences that level {} sorts", level)
                       : fmt::format("Level {}: sequences of {} keys, in order of their nodes", level, 1u << level);
        } else {
            text = fmt::format("Level {} merges {} {} of {} nodes:", level, trees,
                               trees == 1 ? "bitonic tree" : "bitonic trees", 1u << level);
            for (const Labels& labels : trees_.last_phases())
                text += fmt::format("{} stage {} phase {}", &labels == &trees_.last_phases().front() ? "" : ",",
                                    labels.stage, labels.phase);
        }
        canvas_.text({margin(), gap()}, text, mark::text);

        text.clear();
        const std::uint32_t all = all_trees();
        if (grid_.pairs)
            text = "The trees below the nodes that the phase has written. ";
        else if (grid_.stage > 0)
            text = fmt::format("The trees of stage {}. ", grid_.stage);
        if (grid_.trees < all) text += fmt::format("{} of {} are shown. ", grid_.trees, all);
        if (!complete()) text += fmt::format("Levels that are not shown: {}. ", height() - grid_.levels);
        canvas_.text({margin(), gap() + canvas_.text_height()}, text, mark::faint);
    }

    void draw_levels(float top) {
        for (int depth = 0; depth < grid_.levels; ++depth) {
            const Point position{margin(), y_of(top, depth) - canvas_.text_height() / 2};
            if (depth > 0 && grid_.level < canvas_.text_height()) break;
            canvas_.text(position, fmt::format("depth {}", first_level() + depth), mark::faint);
        }
    }

    float y_of(float top, int depth) const {
        return top + canvas_.text_height() + grid_.level * (static_cast<float>(depth) + 0.4f);
    }
    Point point_of(const BitonicTree& tree, Point corner, std::size_t node) const {
        const std::size_t slot = ((node + 1) >> (tree.height - grid_.levels)) - 1;
        return {corner.x + grid_.pitch * (static_cast<float>(slot) + 0.5f),
                y_of(corner.y, std::max(tree.depth(node), 0))};
    }

    void draw_tree(const BitonicTree& tree, Point corner) {
        for (std::size_t node = 0; node < tree.nodes.size(); ++node)
            if (tree.nodes[node]) draw_below(tree, corner, node);
        for (std::size_t node = 0; node < tree.nodes.size(); ++node)
            if (tree.nodes[node]) draw_node(tree, corner, node);
        if (complete()) draw_bars(tree, corner);
        const std::string direction = tree.ascending ? "sorts in order" : "sorts in reverse order";
        const float width = canvas_.text_width(direction);
        if (width < tree_width())
            canvas_.text(
                {corner.x + (tree_width() - width) / 2, corner.y + row_height() - 1.2f * canvas_.text_height()},
                direction, mark::faint);
    }

    /// Draws the edges to a node's sons, and marks subtrees that have just been exchanged.
    void draw_below(const BitonicTree& tree, Point corner, std::size_t node) {
        const int depth = tree.depth(node);
        if (depth < 0 || depth + 1 == tree.height) return;
        const Point from = point_of(tree, corner, node);
        const std::size_t distance = std::size_t{1} << (tree.height - depth - 2);
        for (const std::size_t son : {node - distance, node + distance}) {
            if (depth + 1 == grid_.levels) {
                // The edge leads to levels that are not shown.
                const float side = son < node ? -0.25f : 0.25f;
                canvas_.line(from, {from.x + side * grid_.pitch, from.y + 0.4f * grid_.level}, mark::faint);
                continue;
            }
            if (!tree.nodes[son]) continue;
            const Point to = point_of(tree, corner, son);
            const bool moved = tree.nodes[son]->moved;
            canvas_.line(from, to, moved ? mark::exchanged : mark::faint, moved ? 2.0f : 1.0f);
            if (!moved) continue;
            const float half = grid_.pitch * (static_cast<float>(1u << (grid_.levels - depth - 2)) - 0.5f);
            const float below = y_of(corner.y, grid_.levels - 1);
            canvas_.fill({to.x - half, to.y - grid_.radius - 4 * unit_},
                         {to.x + half, below + grid_.radius + 4 * unit_}, mark::exchanged, 0.25f);
        }
    }

    void draw_node(const BitonicTree& tree, Point corner, std::size_t node) {
        const TreeNode& shown = *tree.nodes[node];
        const Point at = point_of(tree, corner, node);
        const float radius = grid_.radius;
        if (shown.key)
            canvas_.disc(at, radius, colour_of(*shown.key));
        else
            canvas_.circle(at, radius, mark::faint);
        if (shown.exchanged)
            canvas_.circle(at, radius + unit_, mark::exchanged, 2.5f);
        else if (shown.written)
            canvas_.circle(at, radius + unit_, mark::written, 2.0f);
        if (shown.key) {
            const std::string key = fmt::format("{}", *shown.key);
            // Black text on light colours, white on dark ones. Numbers are shown only if there is room for all.
            if (canvas_.text_width(fmt::format("{}", moment_.places->count() - 1)) < 1.9f * radius)
                canvas_.text({at.x - canvas_.text_width(key) / 2, at.y - canvas_.text_height() / 2}, key,
                             2 * *shown.key > moment_.places->count() ? Colour{} : mark::text);
        }
        if (shown.pointer != ' ') {
            canvas_.circle(at, radius + 3.5f * unit_, mark::read, 2.0f);
            const std::string letter(1, shown.pointer);
            canvas_.text({at.x - canvas_.text_width(letter) / 2, at.y - radius - 4 * unit_ - canvas_.text_height()},
                         letter, mark::read);
        }
        if (tree.depth(node) < 0) {
            const char* name = tree_width() > 3 * canvas_.text_width("spare") ? "spare" : "s";
            const float x =
                std::min(at.x - canvas_.text_width(name) / 2, canvas_.width() - canvas_.text_width(name) - gap());
            canvas_.text({x, at.y - radius - 4 * unit_ - canvas_.text_height()}, name, mark::faint);
        }
        draw_tip(tree, node, at);
    }

    void draw_tip(const BitonicTree& tree, std::size_t node, Point at) {
        const TreeNode& shown = *tree.nodes[node];
        std::string text = tree.depth(node) < 0
                               ? std::string(
                                     "The spare node: the last element of a bitonic sequence. The other elements "
                                     "are in the tree (section 4.1).")
                               : fmt::format("Node {} in order, depth {} of the tree (section 4.1).", node,
                                             first_level() + tree.depth(node));
        if (shown.place)
            text += fmt::format(" The node lies in {}[{}].", moment_.program->streams[shown.place->stream].name,
                                shown.place->element);
        text += shown.key ? fmt::format(" Its key has place {} in the sorted order.", *shown.key)
                          : " The node lies past the end of the input, and counts as greater than every key.";
        if (shown.pointer != ' ')
            text +=
                fmt::format(" {} points to this node: the next phase compares the node (section 4.2).", shown.pointer);
        if (shown.exchanged) text += " The last phase has exchanged its key.";
        if (shown.moved) text += " The last phase has exchanged its subtree.";
        const float radius = grid_.radius + 2 * unit_;
        canvas_.tip({at.x - radius, at.y - radius}, {at.x + radius, at.y + radius}, text);
    }

    /// The sequence that the tree stands for: its keys in order.
    void draw_bars(const BitonicTree& tree, Point corner) {
        const float base = corner.y + row_height() - 1.4f * canvas_.text_height();
        const float full = std::min(bars_height(), base - y_of(corner.y, grid_.levels - 1) - grid_.radius - gap());
        if (full < 8 * unit_) return;
        for (std::size_t node = 0; node < tree.nodes.size(); ++node) {
            if (!tree.nodes[node] || !tree.nodes[node]->key) continue;
            const std::uint32_t key = *tree.nodes[node]->key;
            const float part = (static_cast<float>(key - min_) + 0.5f) / (static_cast<float>(greatest_ - min_) + 0.5f);
            const float x = corner.x + grid_.pitch * static_cast<float>(node);
            canvas_.fill({x + 0.1f * grid_.pitch, base - part * full}, {x + 0.9f * grid_.pitch, base}, colour_of(key));
        }
    }

    void draw_legend() {
        LegendLine legend(canvas_);
        const auto ring = [&](Colour colour, const char* text) {
            legend.add(text, [&](Point middle) { canvas_.circle(middle, 5 * unit_, colour, 2.0f); });
        };
        ring(mark::read, "p, q: compared next");
        ring(mark::written, "written last");
        ring(mark::exchanged, "key exchanged");
        legend.add("subtree exchanged", [&](Point middle) {
            canvas_.fill({middle.x - gap(), middle.y - gap()}, {middle.x + gap(), middle.y + gap()}, mark::exchanged,
                         0.35f);
        });
        if (!std::has_single_bit(moment_.program->n)) ring(mark::faint, "past the end");
    }

    Colour colour_of(std::uint32_t key) const { return place_colour(key, moment_.places->count()); }

    const Moment& moment_;
    Canvas& canvas_;
    float unit_;
    BitonicTrees trees_;
    TreeGrid grid_;
    float left_, right_, top_, bottom_;
    std::uint32_t min_ = 0;  ///< Min and max of the keys that have bars.
    std::uint32_t greatest_ = 0;
};

}  // namespace

std::string TreeView::explanation() const {
    return "The bitonic trees that a recursion level merges. Read in order, the nodes are a bitonic sequence that ends "
           "with the spare node. A phase compares the nodes at p and q. To exchange two subtrees, a phase exchanges "
           "two "
           "pointers (GPU-ABiSort, sections 4 and 5).";
}

std::string TreeView::caption() const {
    return "Numbers, colours and heights: places in sorted order. Bars: the nodes from left to right.";
}

bool TreeView::fits(const StreamProgram& program) const {
    return BitonicTrees::are_in(program);
}

void TreeView::draw(const Moment& moment, Canvas& canvas) const {
    TreeDrawing(moment, canvas).draw();
}

}  // namespace glsort::demo
