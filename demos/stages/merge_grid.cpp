#include "merge_grid.h"

#include <algorithm>
#include <string_view>

#include "glossary.h"
#include "page.h"

namespace glsort::demo {
namespace {

class GridPicture {
  public:
    GridPicture(Canvas& canvas, Point from, Point to, const MergeGrid& grid)
        : canvas_(canvas),
          grid_(grid),
          unit_(canvas.unit()),
          rows_(grid.a.end - grid.a.begin),
          columns_(grid.b.end - grid.b.begin),
          corner_(from),
          origin_{from.x + band(), from.y + line_height(canvas) + band()},
          end_(to),
          cell_{(to.x - origin_.x) / static_cast<float>(std::max(columns_, 1u)),
                (to.y - origin_.y) / static_cast<float>(std::max(rows_, 1u))} {}

    void draw() {
        constexpr std::string_view title = "merge path of runs 1 (↓) and 2 (→)";
        constexpr std::string_view short_title = "runs 1 (↓) and 2 (→)";
        canvas_.text(corner_, canvas_.text_width(title) < end_.x - corner_.x ? title : short_title, mark::text);
        draw_strip(canvas_, {{origin_.x, origin_.y - band()}, {end_.x, origin_.y - 2 * unit_}, grid_.b.begin, columns_},
                   key_cells(grid_.n, grid_.place_of));
        draw_run_down();
        draw_cells();
        draw_diagonals();
        draw_path();
        draw_starts();
        canvas_.tip(origin_, end_, tip_text("merge path"));
    }

  private:
    /// The width of the drawn runs.
    float band() const { return 12 * unit_; }
    Point at(const PathPoint& point) const {
        return {origin_.x + static_cast<float>(point.b) * cell_.x, origin_.y + static_cast<float>(point.a) * cell_.y};
    }

    void draw_run_down() {
        const auto rows = std::min(rows_, static_cast<std::uint32_t>(std::max(end_.y - origin_.y, 1.0f)));
        const float row = (end_.y - origin_.y) / static_cast<float>(std::max(rows, 1u));
        const float gap = row >= 4 * unit_ ? unit_ : 0.0f;
        for (std::uint32_t i = 0; i < rows; ++i) {
            const auto element = grid_.a.begin + static_cast<std::uint32_t>(std::uint64_t{i} * rows_ / rows);
            const float y = origin_.y + static_cast<float>(i) * row;
            if (const auto place = grid_.place_of(element))
                canvas_.fill({origin_.x - band(), y}, {origin_.x - 2 * unit_, y + row - gap},
                             place_colour(*place, grid_.n));
        }
    }

    void draw_cells() {
        constexpr Colour thin{58, 62, 68};
        canvas_.outline(origin_, end_, mark::faint);
        if (std::min(cell_.x, cell_.y) < 5 * unit_) return;
        for (std::uint32_t a = 1; a < rows_; ++a)
            canvas_.line(at({a, 0}), at({a, columns_}), thin);
        for (std::uint32_t b = 1; b < columns_; ++b)
            canvas_.line(at({0, b}), at({rows_, b}), thin);
    }

    /// The diagonals. Along a diagonal, the number of elements from both runs together is constant.
    void draw_diagonals() {
        for (const MergeGrid::Start& start : grid_.starts) {
            const std::uint32_t sum = start.point.a + start.point.b;
            const std::uint32_t max_a = std::min(sum, rows_);
            const std::uint32_t max_b = std::min(sum, columns_);
            canvas_.line(at({max_a, sum - max_a}), at({sum - max_b, max_b}), mark::faint);
        }
    }

    void draw_path() {
        const auto place_a = [this](std::uint32_t i) { return grid_.place_of(grid_.a.begin + i).value_or(0); };
        const auto place_b = [this](std::uint32_t i) { return grid_.place_of(grid_.b.begin + i).value_or(0); };
        // One point per pixel is enough.
        const float pixels = std::max(end_.x - origin_.x, 1.0f);
        const auto step = std::max(static_cast<std::uint32_t>(static_cast<float>(rows_ + columns_) / pixels), 1u);
        PathPoint last;
        for (std::uint32_t diagonal = 0; diagonal < rows_ + columns_;) {
            diagonal = std::min(diagonal + step, rows_ + columns_);
            const PathPoint next = path_at(diagonal, rows_, columns_, place_a, place_b);
            canvas_.line(at(last), at(next), mark::text, 2);
            last = next;
        }
    }

    void draw_starts() {
        const float height = canvas_.text_height();
        Point last{-1e9f, -1e9f};
        for (const MergeGrid::Start& start : grid_.starts) {
            const Point point = at(start.point);
            canvas_.disc(point, 4 * unit_, grid_.colour);
            const Point label{std::min(point.x + 6 * unit_, end_.x - canvas_.text_width(start.label)),
                              std::max(point.y - height, origin_.y)};
            // Leaves out labels that would overlap.
            if (label.y < last.y + height && label.x < last.x + 2 * height) continue;
            canvas_.text(label, start.label, grid_.colour);
            last = label;
        }
    }

    Canvas& canvas_;
    const MergeGrid& grid_;
    float unit_;
    std::uint32_t rows_;
    std::uint32_t columns_;
    Point corner_;
    Point origin_;  ///< The start of the path. The next is its end.
    Point end_;
    Point cell_;
};

}  // namespace

void draw_merge_grid(Canvas& canvas, Point from, Point to, const MergeGrid& grid) {
    GridPicture(canvas, from, to, grid).draw();
}

}  // namespace glsort::demo
